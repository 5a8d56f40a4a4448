// The panels at the right, one at a time.

import { $ } from "./dom.js";
import { focusList } from "./documents.js";
import { store } from "./store.js";

const TABS = ["list", "reader", "preview", "wizard", "history"];

export function startTabs() {
  for (const name of TABS) {
    $(`tab-${name}`).addEventListener("click", () => store.set({ tab: name }));
  }
  $("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = TABS.indexOf(store.get("tab"));
    store.set({ tab: TABS[(at + by + TABS.length) % TABS.length] });
    $(`tab-${store.get("tab")}`).focus();
  });
  store.on(["tab"], show);
  show();
}

function show() {
  for (const name of TABS) {
    const on = store.get("tab") === name;
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(on));
    tab.setAttribute("tabindex", on ? "0" : "-1");
    $(tab.getAttribute("aria-controls")).hidden = !on;
  }
}

/** From another panel to the list; false if the list is shown already. */
export function back() {
  if (store.get("tab") === "list") return false;
  const inside = $("side").contains(document.activeElement);
  store.set({ tab: "list" });
  if (inside) focusList();
  return true;
}
