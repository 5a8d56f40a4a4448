"""Seeds, links, backgrounds and examples, and the potentials that follow from them."""
