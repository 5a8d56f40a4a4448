// The shared selection of documents, and what the commands make of it.

import { clusterOf, membersOf, store } from "./store.js";

const NONE = new Set();

/** What is listed anew is seen, unless a panel other than the open document is at work. */
const listTab = () => ({ tab: store.get("tab") === "reader" ? "list" : store.get("tab") });

/** Select rows; `listed` makes the list show them too. */
export function selectRows(rows, { add = false, listed = false } = {}) {
  const selected = new Set(add ? [...store.get("selected"), ...rows] : rows);
  const patch = { selected, picks: NONE };
  if (listed) {
    const shown = [...selected].sort((a, b) => a - b);
    patch.scope = shown.length ? { kind: "rows", rows: shown } : { kind: "all" };
    Object.assign(patch, listTab());
  }
  store.set(patch);
}

export function toggleRow(row) {
  const selected = new Set(store.get("selected"));
  if (!selected.delete(row)) selected.add(row);
  store.set({ selected });
}

export function clearSelection() {
  store.set({ selected: new Set(), picks: NONE, scope: { kind: "all" } });
}

/** Choose a cluster as a whole; `add` keeps what is chosen, or takes it back. */
export function pickCluster(number, { add = false } = {}) {
  const picks = new Set(add ? store.get("picks") : []);
  if (!picks.delete(number)) picks.add(number);
  const rows = membersOf(...picks);
  let scope = { kind: "rows", rows };
  if (picks.size === 1 && !picks.has(0)) scope = { kind: "cluster", number: [...picks][0] };
  if (picks.size === 0) scope = { kind: "all" };
  store.set({ picks, selected: new Set(rows), scope, ...listTab() });
}

export function openRow(row) {
  store.set({ open: row, tab: "reader", selected: new Set([row]), picks: NONE });
}

/** The clusters that a command about clusters would be about. */
export function chosenClusters() {
  const picks = [...store.get("picks")].filter((number) => number !== 0);
  if (picks.length) return picks;
  const { labels } = store.get("state");
  const found = new Set();
  for (const row of store.get("selected")) if (labels[row]) found.add(labels[row]);
  return [...found];
}

export const onlyCluster = () => {
  const chosen = chosenClusters();
  return chosen.length === 1 ? clusterOf(chosen[0]) : null;
};

export const selectedRows = () => [...store.get("selected")].sort((a, b) => a - b);

/** Selected documents that are not discarded, or those that are. */
export const selectedKept = () => {
  const { labels } = store.get("state");
  return selectedRows().filter((row) => labels[row] !== 0);
};

export const selectedDiscarded = () => {
  const { labels } = store.get("state");
  return selectedRows().filter((row) => labels[row] === 0);
};

export function scopeRows() {
  const scope = store.get("scope");
  if (scope.kind === "rows") return scope.rows;
  if (scope.kind === "cluster") return membersOf(scope.number);
  const { labels } = store.get("state");
  return Array.from(labels.keys()).filter((row) => labels[row] !== 0);
}
