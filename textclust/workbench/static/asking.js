// How a question looks. Blind: no id, folder, title or cluster, unless they are asked for.

import { get } from "./api.js";
import { button, el, foreign, kbd } from "./dom.js";
import { clusterMark } from "./marks.js";
import { store, titleOf } from "./store.js";

const MOST_TEXT = 6000; // characters of a document in a question
const texts = new Map(); // row -> promise of its text

function textOf(row) {
  if (!texts.has(row)) {
    const asked = get(`/api/documents/${row}`).then((doc) =>
      doc.pieces
        .map(([piece]) => piece)
        .join("")
        .slice(0, MOST_TEXT),
    );
    texts.set(row, asked);
    asked.catch(() => texts.delete(row));
  }
  return texts.get(row);
}

export function drawQuestion(panel, question, sitting) {
  const draw = { pair: drawPair, set: drawSet, cluster: drawCluster }[question.kind];
  panel.replaceChildren(...draw(question, sitting));
  // the texts of the next one are fetched while this one is read
  const following = sitting.waiting[question.kind][0];
  for (const row of rowsOf(following)) textOf(row).catch(() => {});
}

const rowsOf = (q) =>
  q ? [q.left, q.right, q.row, ...(q.rows ?? [])].filter((r) => r !== undefined) : [];

function textBox(row, sitting, most = MOST_TEXT) {
  const box = el("div", { class: "question-text", dir: "auto" }, "…");
  textOf(row).then(
    (text) => (box.textContent = text.length > most ? `${text.slice(0, most)}…` : text),
    (error) => (box.textContent = error.message),
  );
  return el("div", { class: "question-document" }, sitting.showPlaces ? placeOf(row) : null, box);
}

function placeOf(row) {
  const label = store.get("state").labels[row];
  return el(
    "p",
    { class: "small" },
    foreign(titleOf(row)),
    " · ",
    foreign(store.get("collection").ids[row]),
    " · ",
    clusterMark(label),
  );
}

const scrolled = (box, name) =>
  el("div", { role: "group", tabindex: "0", "aria-label": name }, box);

function drawPair({ left, right, words }, sitting) {
  const parts = [
    el("p", { class: "ask" }, "Do these two documents belong together?"),
    el(
      "div",
      { class: "two" },
      scrolled(textBox(left, sitting), "First document"),
      scrolled(textBox(right, sitting), "Second document"),
    ),
  ];
  if (words?.length)
    parts.push(el("p", { class: "small soft" }, "Words in both: ", foreign(words.join(", "))));
  return parts;
}

function drawSet({ rows }, sitting) {
  const item = (row, i) => {
    const box = el("input", {
      type: "checkbox",
      "data-stranger": row,
      checked: sitting.strangers.has(row),
      onchange: () => sitting.digit(i + 1),
    });
    return el(
      "li",
      {},
      el("label", { class: "choice" }, box, kbd(String(i + 1)), textBox(row, sitting, 170)),
    );
  };
  return [
    el(
      "p",
      { class: "ask" },
      "Which of these do not belong with the others? Tick the strangers, or none.",
    ),
    el("ol", { class: "set" }, rows.map(item)),
  ];
}

function drawCluster({ row, clusters }, sitting) {
  const choice = (label, i) =>
    button([i < 9 ? kbd(String(i + 1)) : "", clusterMark(label)], () => sitting.place(label), {
      "data-place": label,
    });
  return [
    el("p", { class: "ask" }, "Which cluster does this document belong to?"),
    textBox(row, sitting),
    el("div", { class: "answers" }, clusters.map(choice)),
  ];
}
