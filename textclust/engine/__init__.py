"""Everything that alternates: from a `Problem` to the `Solution` of lowest energy found."""
