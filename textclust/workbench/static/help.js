// The help sheet: every command with its key.

import { el, kbd } from "./dom.js";
import { openDialog } from "./dialog.js";
import { lettersOff, setLetters } from "./letters.js";

const HINTS = [
  ["1 to 9", "move the selected documents to the cluster of the list that has this key"],
  ["Click a dot", "open the document"],
  ["Drag on the map", "pan; from a selected dot: carry the selection to a cluster of the list"],
  ["Shift and drag on the map", "lasso"],
  ["Wheel on the map", "zoom"],
  ["Arrow keys on the map", "pan"],
  ["Shift and click, or Space", "add to the selection"],
  ["Drag a document of the list onto a cluster", "move it there"],
];

export function openHelp(commands) {
  return openDialog({
    id: "help",
    title: "Help",
    wide: true,
    fill(body) {
      const groups = el("div", {
        class: "help",
        tabindex: "0",
        autofocus: true,
        role: "group",
        "aria-label": "Commands",
      });
      body.append(groups);
      for (const group of new Set(commands.map((command) => command.group))) {
        const rows = commands
          .filter((command) => command.group === group && command.key && !command.unlisted)
          .map(row);
        groups.append(
          el("section", {}, el("h3", {}, group), el("table", {}, el("tbody", {}, rows))),
        );
      }
      const hints = HINTS.map(([what, does]) =>
        el("tr", {}, el("th", { scope: "row" }, what), el("td", {}, does)),
      );
      groups.append(
        el("section", {}, el("h3", {}, "Mouse and lists"), el("table", {}, el("tbody", {}, hints))),
      );
      body.append(letters());
    },
  });
}

const ARROWS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

const row = ({ key, label, keys = [], title }) =>
  el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      [label ?? key, ...keys].flatMap((one, i) => [i ? " " : "", kbd(ARROWS[one] ?? one)]),
    ),
    el("td", {}, title),
  );

function letters() {
  const box = el("input", {
    type: "checkbox",
    checked: !lettersOff(),
    onchange: () => setLetters(box.checked),
  });
  return el("label", { class: "choice" }, box, "Keys of a single character run commands");
}
