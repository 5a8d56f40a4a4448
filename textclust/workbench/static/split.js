// Splitting a cluster: by the documents selected in it, or as the server proposes.

import { get } from "./api.js";
import { button, documents, el, foreign, kbd } from "./dom.js";
import { openDialog } from "./dialog.js";
import { perform } from "./saying.js";
import { onlyCluster, selectedKept } from "./selection.js";
import { complain, say } from "./status.js";
import { idsOf } from "./store.js";

export async function split() {
  const cluster = onlyCluster();
  const rows = selectedKept();
  const bySelection = rows.length > 0 && rows.length < cluster.size;
  let proposal = null;
  say("Asking how the cluster would fall in two.");
  try {
    proposal = await get("/api/split", { cluster: cluster.number });
    say("");
  } catch (error) {
    complain(error);
    if (!bySelection) return;
  }
  const choices = [];
  if (bySelection) choices.push(ownChoice(rows, cluster));
  if (proposal?.rows.length) choices.push(proposedChoice(proposal));
  if (!choices.length) return complain("No split of this cluster was found.");
  const first = bySelection && (rows.length > 1 || choices.length === 1) ? 0 : choices.length - 1;
  const action = await openDialog({
    id: "split",
    title: `Split cluster ${cluster.number}`,
    fill: (body, foot, close) => fill(body, foot, close, cluster, choices, first),
  });
  if (action) perform(action);
}

const ownChoice = (rows, cluster) => ({
  rows,
  hold: true,
  label: el(
    "span",
    {},
    `${documents(rows.length)} selected: they become a cluster, ${documents(cluster.size - rows.length)} stay`,
  ),
});

function proposedChoice({ rows, terms, sizes }) {
  const part = (i) =>
    el("span", { class: "part" }, `${documents(sizes[i])}: `, foreign(terms[i].join(", ")));
  return { rows, hold: false, label: el("span", {}, "As proposed", part(0), part(1)) };
}

function fill(body, foot, close, cluster, choices, first) {
  const group = el("fieldset", {}, el("legend", {}, foreign(cluster.name)));
  choices.forEach(({ label }, i) => {
    const radio = el("input", { type: "radio", name: "part", value: i, checked: i === first });
    group.append(el("label", { class: "choice" }, radio, label));
  });
  const hold = el("input", { type: "checkbox", id: "split-hold", checked: choices[first].hold });
  group.addEventListener("change", (event) => {
    hold.checked = choices[Number(event.target.value)].hold;
  });
  const name = el("input", { id: "split-name", autocomplete: "off", maxlength: 200, dir: "auto" });
  body.append(
    group,
    el(
      "label",
      { class: "choice" },
      hold,
      "The documents of the new cluster stay there at a refit",
    ),
    el("label", { for: "split-name" }, "Name of the new cluster (may be empty)"),
    name,
  );
  const accept = () => {
    const { rows } = choices[Number(group.querySelector("input:checked").value)];
    const action = {
      action: "split",
      cluster: cluster.number,
      documents: idsOf(rows),
      hold: hold.checked,
    };
    if (name.value.trim()) action.name = name.value.trim();
    close(action);
  };
  body.addEventListener("keydown", (event) => {
    if (event.key === "Enter") accept();
  });
  foot.append(button(["Split", kbd("Enter")], accept, { class: "main", "data-accept": "split" }));
}
