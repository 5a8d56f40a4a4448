// The panels at the right, one at a time.

import { $ } from "./dom.js";
import { focusList } from "./documents.js";
import { store } from "./store.js";

const TABS = ["list", "reader", "preview", "wizard", "history"];

let before = "list"; // where the open document was opened from

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

const panelOf = (name) => $($(`tab-${name}`).getAttribute("aria-controls"));

function show() {
  const chosen = store.get("tab");
  if (chosen !== "reader") before = chosen;
  const inside = TABS.some((name) => panelOf(name).contains(document.activeElement));
  for (const name of TABS) {
    const on = chosen === name;
    $(`tab-${name}`).setAttribute("aria-selected", String(on));
    $(`tab-${name}`).setAttribute("tabindex", on ? "0" : "-1");
    panelOf(name).hidden = !on;
  }
  if (inside) focusPanel(chosen);
}

/** The focus follows from a panel that is hidden to the one that is shown. */
function focusPanel(name) {
  if (name === "list") focusList();
  else (name === "reader" ? $("reader") : panelOf(name)).focus();
}

/** From the open document to where it was opened, from there to the list; false at the list. */
export function back() {
  if (store.get("tab") === "list") return false;
  store.set({ tab: store.get("tab") === "reader" ? before : "list" });
  return true;
}
