// The history: what was said, the latest last.

import { $, el } from "./dom.js";
import { store } from "./store.js";

export function startHistory() {
  store.on(["state", "tab"], () => {
    if (store.get("tab") !== "history") return;
    const { history, redo } = store.get("state");
    const items = history.map((name) => el("li", { dir: "auto" }, name));
    items.at(-1)?.setAttribute("aria-current", "step");
    $("history-list").replaceChildren(...items);
    $("history-redo").textContent = redo ? `Undone, can be redone: ${redo}` : "";
  });
}
