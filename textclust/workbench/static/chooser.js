// "Move to…": any cluster, found by typing a part of its name or its number.

import { documents, el, foreign } from "./dom.js";
import { openDialog } from "./dialog.js";
import { swatch } from "./marks.js";
import { moveTo } from "./saying.js";
import { selectedRows } from "./selection.js";
import { store } from "./store.js";

export async function chooseCluster() {
  const number = await openDialog({
    id: "chooser",
    title: `Move ${documents(selectedRows().length)} to…`,
    fill: (body, foot, close) => fill(body, close),
  });
  if (number !== null) moveTo(number);
}

const matches = (cluster, text) =>
  String(cluster.number) === text ||
  [cluster.name, ...cluster.terms].some((word) => word.toLowerCase().includes(text));

function fill(body, close) {
  let shown = [];
  let at = 0;
  const list = el("div", {
    role: "listbox",
    id: "chooser-list",
    class: "choices",
    "aria-label": "Clusters",
    tabindex: "-1",
  });
  const input = el("input", {
    id: "chooser-field",
    autofocus: true,
    autocomplete: "off",
    role: "combobox",
    dir: "auto",
    "aria-expanded": "true",
    "aria-controls": "chooser-list",
    "aria-autocomplete": "list",
  });
  const option = (cluster, i) =>
    el(
      "div",
      {
        role: "option",
        id: `choice-${i}`,
        "data-choice": cluster.number,
        "aria-selected": String(i === at),
        onclick: () => close(cluster.number),
      },
      swatch(cluster),
      foreign(cluster.name),
      el("span", { class: "soft" }, documents(cluster.size)),
    );
  const show = () => {
    const text = input.value.trim().toLowerCase();
    shown = store.get("state").clusters.filter((cluster) => !text || matches(cluster, text));
    at = Math.max(0, Math.min(at, shown.length - 1));
    list.replaceChildren(...shown.map(option));
    if (shown.length) input.setAttribute("aria-activedescendant", `choice-${at}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("input", () => {
    at = 0;
    show();
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      at = (at + step + shown.length) % Math.max(1, shown.length);
      show();
    } else if (event.key === "Enter" && shown[at]) {
      event.preventDefault();
      close(shown[at].number);
    }
  });
  body.append(
    el("label", { for: "chooser-field" }, "A part of the name, a term, or the number"),
    input,
    list,
  );
  show();
}
