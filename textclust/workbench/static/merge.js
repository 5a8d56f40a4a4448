// Merging clusters: which one they become, and which documents are left out.

import { get } from "./api.js";
import { button, el, foreign, kbd } from "./dom.js";
import { openDialog } from "./dialog.js";
import { clusterMark } from "./marks.js";
import { perform } from "./saying.js";
import { chosenClusters } from "./selection.js";
import { complain } from "./status.js";
import { clusterOf, idsOf, membersOf, store } from "./store.js";

const OFFERED = 20; // of each cluster, those at its border

export async function merge() {
  const numbers = chosenClusters();
  try {
    const lists = await Promise.all(numbers.map(offered));
    const action = await openDialog({
      id: "merge",
      title: `Merge ${numbers.length} clusters`,
      wide: true,
      fill: (body, foot, close) => fill(body, foot, close, numbers, lists),
    });
    if (action) perform(action);
  } catch (error) {
    complain(error);
  }
}

/** Documents taken out of the selection by hand, then those at the border. */
async function offered(cluster) {
  const selected = store.get("selected");
  const unticked = membersOf(cluster)
    .filter((row) => !selected.has(row))
    .slice(0, 500);
  const ask = (query) => get("/api/documents", query).then((answer) => answer.rows);
  const border = await ask({ cluster, order: "borderline", limit: OFFERED });
  const byHand = unticked.length
    ? await ask({ rows: unticked.join(","), limit: unticked.length })
    : [];
  const known = new Set(unticked);
  return [
    ...byHand.map((entry) => ({ ...entry, out: true })),
    ...border.filter((entry) => !known.has(entry.row)),
  ];
}

function fill(body, foot, close, numbers, lists) {
  const largest = numbers.reduce((a, b) => (clusterOf(b).size > clusterOf(a).size ? b : a));
  const into = el("fieldset", {}, el("legend", {}, "They become"));
  for (const number of numbers) {
    const radio = el("input", {
      type: "radio",
      name: "into",
      value: number,
      checked: number === largest,
    });
    into.append(el("label", { class: "choice" }, radio, clusterMark(number)));
  }
  body.append(
    into,
    el(
      "p",
      {},
      "Tick the documents that are to be left out. They stay in their cluster; those of the cluster that all become get one of their own. The least certain of each are listed.",
    ),
  );
  numbers.forEach((number, i) => {
    const group = el("fieldset", {}, el("legend", {}, clusterMark(number)));
    for (const entry of lists[i]) {
      const tick = el("input", { type: "checkbox", value: entry.row, checked: entry.out });
      group.append(el("label", { class: "choice" }, tick, foreign(entry.title || entry.id)));
    }
    body.append(group);
  });
  const accept = () => {
    const chosen = [...body.querySelectorAll("input[type=checkbox]:checked")];
    const action = {
      action: "merge",
      clusters: numbers,
      into: Number(body.querySelector("input[type=radio]:checked").value),
    };
    if (chosen.length) action.without = idsOf(chosen.map((tick) => Number(tick.value)));
    close(action);
  };
  foot.append(button(["Merge", kbd("Enter")], accept, { class: "main", "data-accept": "merge" }));
  body.addEventListener("keydown", (event) => {
    if (event.key === "Enter") accept();
  });
}
