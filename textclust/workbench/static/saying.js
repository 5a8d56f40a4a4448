// What a person says about documents and clusters, as actions of the journal.

import { act, post } from "./api.js";
import { documents } from "./dom.js";
import { openForm } from "./dialog.js";
import { nameOf } from "./marks.js";
import {
  clearSelection,
  onlyCluster,
  selectedDiscarded,
  selectedKept,
  selectedRows,
} from "./selection.js";
import { complain, say } from "./status.js";
import { idsOf, store } from "./store.js";

/** Send an action and report what became of it; true if it was acknowledged. */
export async function perform(action, message) {
  try {
    const state = await act(action);
    say(message ?? `Done: ${state.history.at(-1)}.`);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

export async function moveTo(number) {
  const rows = selectedRows();
  if (!rows.length) return complain("Select documents first.");
  if (number === 0) return discard();
  const message = `Moved ${documents(rows.length)} to ‘${nameOf(number)}’.`;
  return perform({ action: "move", documents: idsOf(rows), cluster: number }, message);
}

/** The n-th cluster of the list as it is displayed, from 1 on. */
export const nthCluster = (n) => store.get("state")?.clusters[n - 1] ?? null;

export async function newCluster() {
  const rows = selectedKept();
  const name = await openForm({
    title: `New cluster of ${documents(rows.length)}`,
    field: "Name (may be empty: its terms then name it)",
    accept: "Make the cluster",
  });
  if (name === null) return;
  const action = { action: "new", documents: idsOf(rows) };
  if (name) action.name = name;
  if (await perform(action)) clearSelection();
}

export async function rename() {
  const cluster = onlyCluster();
  const name = await openForm({
    title: `Rename cluster ${cluster.number}`,
    field: "Name (empty: by its terms)",
    value: cluster.named === "terms" ? "" : cluster.name,
    accept: "Rename",
  });
  if (name !== null) perform({ action: "rename", cluster: cluster.number, name });
}

export async function acceptAsClass() {
  const cluster = onlyCluster();
  const name = await openForm({
    title: `Accept cluster ${cluster.number} as a class`,
    field: "Name of the class",
    value: cluster.name,
    accept: "Accept",
    needed: true,
  });
  if (name) perform({ action: "accept", cluster: cluster.number, name });
}

export function toggleLock() {
  const { number, locked } = onlyCluster();
  return perform({ action: locked ? "unlock" : "lock", cluster: number });
}

export const allSeeds = () => {
  const { isSeed } = store.get("state");
  const rows = selectedKept();
  return rows.length > 0 && rows.every((row) => isSeed.has(row));
};

export function toggleSeed() {
  const action = allSeeds() ? "unseed" : "seed";
  return perform({ action, documents: idsOf(selectedKept()) });
}

export function link(kind) {
  const [left, right] = idsOf(selectedRows());
  return perform({ action: "link", left, right, kind });
}

export const unlink = (left, right) => {
  const ids = idsOf([left, right]);
  return perform({ action: "unlink", left: ids[0], right: ids[1] });
};

export const discard = () => perform({ action: "discard", documents: idsOf(selectedKept()) });

export const restore = () => perform({ action: "restore", documents: idsOf(selectedDiscarded()) });

export const undo = () => perform({ action: "undo" }, `Undone: ${store.get("state").undo}.`);

export const redo = () => perform({ action: "redo" }, `Redone: ${store.get("state").redo}.`);

export async function exportAll() {
  try {
    say("Writing the report and the model.");
    const { written } = await post("/api/export", { report: true, model: true });
    say(`Written into ${store.get("collection").project}: ${written.join(", ")}.`);
  } catch (error) {
    complain(error);
  }
}
