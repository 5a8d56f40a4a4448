// The theme puts the buttons of a code block into a <nav>: to a screen reader a landmark without a
// name. Without a role it is none.
const unmark = () => {
  for (const each of document.querySelectorAll("nav.md-code__nav:not([role])")) {
    each.setAttribute("role", "none");
  }
};
new MutationObserver(unmark).observe(document.body, { childList: true, subtree: true });
unmark();
