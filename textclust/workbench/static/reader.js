// The open document: its words by pull, why it is where it is, and what it is tied to.

import { get } from "./api.js";
import { $, button, el, foreign } from "./dom.js";
import { clusterMark, nameOf } from "./marks.js";
import { unlink } from "./saying.js";
import { openRow } from "./selection.js";
import { complain } from "./status.js";
import { clusterOf, store, titleOf } from "./store.js";
import { colourOf, translucent } from "./theme.js";

let shown = null; // the document on display
let asked = 0;

export function startReader() {
  store.on(["open", "state"], (changed) => load(changed.includes("open")));
  store.on(["theme"], () => shown && show(shown));
}

async function load(fresh) {
  const row = store.get("open");
  const turn = ++asked;
  if (row === null) return;
  try {
    const answer = await get(`/api/documents/${row}`);
    if (turn !== asked) return;
    shown = answer;
    show(shown);
    if (fresh) $("reader").scrollTop = 0;
  } catch (error) {
    if (turn === asked) complain(error);
  }
}

function show(doc) {
  const parts = [
    el("h2", { class: "doc-title" }, foreign(doc.title || doc.id)),
    el(
      "p",
      { class: "soft small" },
      foreign(doc.id),
      doc.date ? ` · ${doc.date}` : "",
      doc.seed ? " · seed" : "",
    ),
    places(doc),
    legend(doc),
    text(doc),
    reasons(doc),
    links(doc.links),
    related("Neighbours", doc.neighbours),
    related("Near duplicates", doc.duplicates),
  ];
  $("reader").replaceChildren(...parts.filter(Boolean));
}

function places(doc) {
  const clear = `clarity ${doc.score.toFixed(2)}`;
  return el(
    "dl",
    { class: "places" },
    el(
      "div",
      {},
      el("dt", {}, "Cluster"),
      el("dd", {}, clusterMark(doc.cluster), doc.cluster ? ` (${clear})` : ""),
    ),
    el(
      "div",
      {},
      el("dt", {}, "Second best"),
      el("dd", {}, doc.second ? clusterMark(doc.second) : "none"),
    ),
  );
}

function legend(doc) {
  const line = el(
    "p",
    { class: "small soft" },
    el("span", { class: "pull here" }, "Solid line"),
    " pulls to ",
    foreign(nameOf(doc.cluster)),
  );
  if (doc.second)
    line.append(
      "; ",
      el("span", { class: "pull there" }, "dashed line"),
      " to ",
      foreign(nameOf(doc.second)),
    );
  return line;
}

function text(doc) {
  const most = Math.max(1e-9, ...doc.pieces.map(([, pull]) => Math.abs(pull)));
  const own = colourOf(clusterOf(doc.cluster));
  const other = colourOf(clusterOf(doc.second));
  const box = el("div", { class: "doc-text", dir: "auto" });
  for (const [piece, pull] of doc.pieces) {
    if (!pull) {
      box.append(piece);
      continue;
    }
    const colour = pull > 0 ? own : other;
    const mark = el("span", { class: pull > 0 ? "pull here" : "pull there" }, piece);
    mark.style.backgroundColor = translucent(colour, 0.06 + 0.26 * (Math.abs(pull) / most));
    mark.style.textDecorationColor = colour;
    box.append(mark);
  }
  if (doc.cut)
    box.append(
      el("p", { class: "soft" }, "The text goes on; its first 200,000 characters are shown."),
    );
  return box;
}

function reasons(doc) {
  const made = el("section", {}, el("h3", {}, "Why here"), el("p", { dir: "auto" }, doc.why));
  const table = (name, terms) =>
    terms.length &&
    el(
      "p",
      { class: "small" },
      `${name}: `,
      ...terms.flatMap(({ term, weight }, i) => [
        i ? ", " : "",
        foreign(term),
        ` ${weight.toFixed(3)}`,
      ]),
    );
  made.append(
    ...[table("For this cluster", doc.here), table("For the second best", doc.there)].filter(
      Boolean,
    ),
  );
  if (doc.moves) made.append(el("p", { dir: "auto" }, doc.moves));
  return made;
}

export const documentLink = (row) =>
  button(foreign(titleOf(row)), () => openRow(row), { class: "link", "data-open": row });

export function linkSentence({ left, right, kind, price, kept }) {
  const cost = price === null || price === undefined ? "" : `, price ${Number(price).toFixed(2)}`;
  const fate = kept === undefined ? "" : kept ? ", kept" : ", violated";
  return el(
    "span",
    {},
    documentLink(left),
    ` ${kind} `,
    documentLink(right),
    el("span", { class: kept === false ? "bad" : "soft" }, `${cost}${fate}`),
  );
}

function links(all) {
  if (!all.length) return null;
  const items = all.map((link) =>
    el(
      "li",
      {},
      linkSentence(link),
      " ",
      button("Drop the link", () => unlink(link.left, link.right), { class: "small-button" }),
    ),
  );
  return el("section", {}, el("h3", {}, "Links"), el("ul", { class: "plain-list" }, items));
}

function related(title, rows) {
  if (!rows.length) return null;
  return el(
    "section",
    {},
    el("h3", {}, title),
    el(
      "ul",
      { class: "plain-list" },
      rows.map((row) => el("li", {}, documentLink(row))),
    ),
  );
}
