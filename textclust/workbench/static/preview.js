// What a refit would do: flows between clusters, broken links, conflicts, the outcome.

import { act, get, post } from "./api.js";
import { $, button, count, documents, el, foreign, number } from "./dom.js";
import { clusterMark } from "./marks.js";
import { linkSentence } from "./reader.js";
import { perform } from "./saying.js";
import { clearSelection, selectRows } from "./selection.js";
import { complain, say } from "./status.js";
import { store } from "./store.js";

export function startPreview() {
  store.on(["state", "preview", "theme"], show);
}

export const preview = () =>
  compute("Computing what a refit would do.", "The preview was cancelled.", async () => {
    const answer = await get("/api/preview");
    clearSelection();
    store.set({ preview: answer });
    say(`A refit would move ${documents(answer.moves)}.`);
  });

export const refit = () =>
  compute("Refitting.", "The refit was cancelled.", async () => {
    const state = await act({ action: "refit" });
    say(state.outcome.join(". "));
  });

let cancelled = false;

export async function cancel() {
  cancelled = true;
  await post("/api/cancel", {}).catch(complain);
}

async function compute(begun, ended, run) {
  cancelled = false;
  store.set({ tab: "preview", busy: { what: "starting", done: 0, of: 1 } });
  say(begun);
  try {
    await run();
  } catch (error) {
    if (cancelled && error.status === 409) say(ended);
    else complain(error);
  } finally {
    store.set({ busy: null });
  }
}

function show() {
  const state = store.get("state");
  if (!state) return;
  const body = $("preview-body");
  const focused = body.contains(document.activeElement);
  body.replaceChildren(
    ...moves(store.get("preview"), state),
    ...conflicts(state.conflicts),
    ...outcome(state),
  );
  if (focused) $("preview").focus();
}

function moves(answer, state) {
  const title = el("h2", {}, "Preview");
  if (!answer) {
    const said = state.pending
      ? `Since the last refit: ${count(state.pending, "statement")}. Preview shows what a refit would move.`
      : "Nothing has been said since the last refit.";
    return [title, el("p", {}, said)];
  }
  const parts = [title, el("p", {}, `A refit would move ${documents(answer.moves)}.`)];
  if (answer.flows.length) parts.push(flowTable(answer.flows));
  if (answer.broken.length) {
    parts.push(
      el("h3", {}, "Links that would be broken"),
      el(
        "ul",
        { class: "plain-list" },
        answer.broken.map((link) => el("li", {}, linkSentence(link))),
      ),
    );
  }
  parts.push(...sentences("Expected outcome", answer.outcome));
  return parts;
}

function flowTable(flows) {
  const row = ({ from, to, count: moving, rows }) => {
    const message = `Select the ${documents(moving)} that would move from cluster ${from} to ${to}`;
    const select = el(
      "button",
      { type: "button", class: "small-button", "data-flow": `${from}-${to}`, title: message },
      number(moving),
      el("span", { class: "hidden-label" }, `: ${message}`),
    );
    return el(
      "tr",
      { "data-flow-row": true, onclick: () => choose(rows) },
      el("td", {}, clusterMark(from)),
      el("td", {}, clusterMark(to)),
      el("td", { class: "numeric" }, select),
    );
  };
  const head = ["From", "To", "Count"].map((text) => el("th", { scope: "col" }, text));
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, flows.map(row)));
}

function choose(rows) {
  selectRows(rows, { listed: true });
  say(`${documents(rows.length)} selected.`);
}

function conflicts(all) {
  if (!all.length) return [];
  const repair = async (actions) => {
    for (const action of actions) if (!(await perform(action))) return;
  };
  const item = ({ chain, repair: text, actions }) =>
    el(
      "li",
      { class: "card" },
      el("p", { dir: "auto" }, chain),
      button(["Repair: ", foreign(text)], () => repair(actions), { "data-repair": true }),
    );
  return [el("h3", {}, "Conflicts"), el("ul", { class: "plain-list" }, all.map(item))];
}

function sentences(title, all) {
  if (!all?.length) return [];
  return [
    el("h3", {}, title),
    el(
      "ul",
      {},
      all.map((text) => el("li", { dir: "auto" }, text)),
    ),
  ];
}

function outcome(state) {
  const parts = sentences("Outcome", state.outcome);
  if (state.stopping) {
    if (!parts.length) parts.push(el("h3", {}, "Outcome"));
    parts.push(el("p", { dir: "auto", id: "stopping" }, state.stopping));
  }
  return parts;
}
