// The wizard: the most likely mistakes, those first that are worth most.

import { get } from "./api.js";
import { $, button, documents, el, foreign, kbd } from "./dom.js";
import { clusterMark, nameOf } from "./marks.js";
import { documentLink } from "./reader.js";
import { perform } from "./saying.js";
import { openRow, selectRows } from "./selection.js";
import { complain, say } from "./status.js";
import { idsOf, membersOf, store } from "./store.js";

const ASKED = 10;
const passed = new Set();
let proposals = null;
let version = null; // of the state they were made for

export function startWizard() {
  store.on(["state", "tab"], () => {
    const shown = store.get("tab") === "wizard";
    if (shown && proposals && version !== store.get("state").version) load();
  });
  store.on(["theme"], () => proposals && show());
}

export function openWizard() {
  store.set({ tab: "wizard" });
  return load();
}

async function load() {
  version = store.get("state").version;
  try {
    if (!proposals) $("wizard-body").replaceChildren(el("p", {}, "Looking for likely mistakes."));
    ({ proposals } = await get("/api/wizard", { n: ASKED }));
    show();
  } catch (error) {
    complain(error);
  }
}

const keyOf = ({ kind, clusters, cluster, row, left, right }) =>
  JSON.stringify([kind, kind === "merge" ? clusters : cluster, row, left, right]);

function show() {
  const body = $("wizard-body");
  const focused = body.contains(document.activeElement);
  const left = proposals.filter((proposal) => !passed.has(keyOf(proposal)));
  const none = el("p", {}, "There is nothing to propose.");
  body.replaceChildren(left.length ? el("ol", { class: "plain-list" }, left.map(card)) : none);
  if (focused) (body.querySelector("button") ?? $("wizard")).focus();
}

function card(proposal) {
  const places = proposal.row === undefined ? [] : proposal.clusters;
  const made = el(
    "li",
    { class: "card", "data-proposal": proposal.kind },
    el("p", { class: "card-title" }, title(proposal)),
    el("p", { dir: "auto" }, proposal.reason),
    proposal.terms
      ? el(
          "ul",
          {},
          proposal.terms.map((terms) => el("li", {}, foreign(terms.join(", ")))),
        )
      : null,
    el("p", { class: "small soft" }, `Worth about ${documents(Number(proposal.worth.toFixed(1)))}`),
    places.length
      ? el(
          "div",
          { class: "answers" },
          places.map((label, i) => answer(proposal, label, i)),
        )
      : null,
    el(
      "div",
      { class: "card-foot" },
      button("Look", () => look(proposal), { "data-look": true }),
      ...proposal.actions.map(({ label, action }) =>
        button(label, () => perform(action), { "data-accept": proposal.kind }),
      ),
      button("Pass over", () => pass(proposal), { "data-pass": true }),
    ),
  );
  made.addEventListener("keydown", (event) => {
    const label = places[Number(event.key) - 1];
    if (label === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    place(proposal, label);
  });
  return made;
}

function title(proposal) {
  const { kind, clusters, cluster, row, left, right } = proposal;
  if (kind === "merge") {
    return el(
      "span",
      {},
      "Merge ",
      ...clusters.flatMap((label, i) => [i ? " and " : "", clusterMark(label)]),
    );
  }
  if (kind === "split") return el("span", {}, "Split ", clusterMark(cluster));
  if (kind === "link")
    return el("span", {}, "Link of ", documentLink(left), " and ", documentLink(right));
  return el("span", {}, kind === "seed" ? "Seed: " : "Document: ", documentLink(row));
}

const answer = (proposal, label, i) =>
  button([i < 9 ? kbd(String(i + 1)) : "", clusterMark(label)], () => place(proposal, label), {
    "data-place": label,
  });

function place({ row }, label) {
  const message = `Answered: the document belongs to ‘${nameOf(label)}’.`;
  return perform(
    { action: "answer", question: "cluster", document: idsOf([row])[0], cluster: label },
    message,
  );
}

/** Select the documents that a proposal is about. */
function look({ kind, clusters, rows, row, left, right }) {
  if (row !== undefined) {
    openRow(row);
    return;
  }
  const chosen = kind === "merge" ? membersOf(...clusters) : (rows ?? [left, right]);
  selectRows(chosen, { listed: true });
  say(`${documents(chosen.length)} selected.`);
}

function pass(proposal) {
  passed.add(keyOf(proposal));
  say("Passed over.");
  show();
}
