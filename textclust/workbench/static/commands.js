// The one table of commands: buttons, keys and the help sheet are made of it.

import { chooseCluster } from "./chooser.js";
import { $ } from "./dom.js";
import { step } from "./documents.js";
import { openHelp } from "./help.js";
import { showWhole, zoomBy } from "./map.js";
import { merge } from "./merge.js";
import { cancelLasso } from "./pointing.js";
import { cancel, preview, refit } from "./preview.js";
import { askQuestions } from "./questions.js";
import {
  acceptAsClass, allSeeds, discard, exportAll, link, moveTo, newCluster, nthCluster, redo, rename,
  restore, toggleLock, toggleSeed, undo,
} from "./saying.js";
import {
  clearSelection, onlyCluster, scopeRows, selectRows, selectedDiscarded, selectedKept,
} from "./selection.js";
import { split } from "./split.js";
import { store } from "./store.js";
import { back } from "./tabs.js";
import { toggleTheme } from "./theme.js";
import { openWizard } from "./wizard.js";

const some = () => selectedKept().length > 0;
const two = () => store.get("selected").size === 2 && selectedKept().length === 2;
const idle = () => !store.get("busy");
const one = () => onlyCluster() !== null;
const SELECT = "Select documents first.";
const ONE = "Select one cluster first.";
const TWO = "Select exactly two documents first.";
const BUSY = "Something is being computed: wait, or cancel it.";

const order = (name, key, title) => ({
  id: `order-${name}`, group: "Look", key, title, short: name[0].toUpperCase() + name.slice(1),
  pressed: () => store.get("order") === name,
  run: () => store.set({ order: name }),
});

const digit = (n) => ({
  id: `move-${n}`, group: "Say", key: String(n), title: `Move to cluster ${n} of the list`, unlisted: true,
  enabled: () => store.get("selected").size > 0 && nthCluster(n) !== null,
  need: `Select documents first; key ${n} needs ${n} clusters.`,
  run: () => moveTo(nthCluster(n).number),
});

export function selectListed() {
  const matches = store.get("matches");
  const rows = scopeRows();
  selectRows(matches ? rows.filter((row) => matches.has(row)) : rows);
}

/** Esc ends what is nearest: a computation, the lasso, the open document, the selection. */
function escape() {
  if (store.get("busy")) cancel();
  else if (!cancelLasso() && !back()) clearSelection();
}

export const commands = [
  { id: "search", group: "Look", key: "/", title: "Search", run: () => $("search").focus() },
  order("collection", "o", "List in the order of the collection"),
  order("typical", "t", "List the most typical documents first"),
  order("borderline", "b", "List borderline documents first"),
  order("novel", "n", "List novel documents first: far from every cluster"),
  order("duplicates", "d", "List near duplicates side by side"),
  { id: "next", group: "Look", key: "j", keys: ["ArrowDown", "ArrowRight"], title: "Next document", short: "Next", icon: "down", run: () => step(1) },
  { id: "previous", group: "Look", key: "k", keys: ["ArrowUp", "ArrowLeft"], title: "Previous document", short: "Previous", icon: "up", run: () => step(-1) },
  {
    id: "lasso", group: "Look", key: "l", title: "Lasso: draw around documents on the map", short: "Lasso", icon: "lasso",
    pressed: () => store.get("lasso"), run: () => store.set({ lasso: !store.get("lasso") }),
  },
  { id: "zoom-in", group: "Look", key: "+", keys: ["="], title: "Zoom in", short: "", icon: "plus", run: () => zoomBy(1.4) },
  { id: "zoom-out", group: "Look", key: "-", title: "Zoom out", short: "", icon: "minus", run: () => zoomBy(1 / 1.4) },
  { id: "zoom-all", group: "Look", key: "0", title: "Show the whole map", short: "", icon: "whole", run: showWhole },
  { id: "select-listed", group: "Look", key: "a", title: "Select all that the list shows", short: "Select all", icon: "all", run: selectListed },
  {
    id: "clear", group: "Look", key: "Esc", title: "Cancel, go back, or select nothing", short: "Back", icon: "back", run: escape,
  },
  { id: "theme", group: "Look", title: "Change between light and dark", short: "", icon: "theme", run: toggleTheme },

  ...Array.from({ length: 9 }, (_, i) => digit(i + 1)),
  { id: "move", group: "Say", key: "v", title: "Move the selected documents to a cluster", short: "Move to…", icon: "move", enabled: () => store.get("selected").size > 0, need: SELECT, run: chooseCluster },
  { id: "new", group: "Say", key: "c", title: "New cluster of the selected documents", short: "New cluster…", icon: "new", enabled: some, need: SELECT, run: newCluster },
  {
    id: "merge", group: "Say", key: "g", title: "Merge the selected clusters", short: "Merge…", icon: "merge",
    enabled: () => [...store.get("picks")].filter(Boolean).length > 1,
    need: "Select two or more clusters first: hold Shift and click, or press Space in the list of clusters.", run: merge,
  },
  { id: "split", group: "Say", key: "s", title: "Split the cluster", short: "Split…", icon: "split", enabled: one, need: ONE, run: split },
  { id: "rename", group: "Say", key: "F2", title: "Rename the cluster", short: "Rename…", icon: "rename", enabled: one, need: ONE, run: rename },
  {
    id: "lock", group: "Say", key: "x", title: "Lock or unlock the cluster: its documents stay", short: "Lock", icon: "lock",
    enabled: one, need: ONE, pressed: () => Boolean(onlyCluster()?.locked), run: toggleLock,
  },
  {
    id: "accept", group: "Say", title: "Accept the new cluster as a class", short: "Accept as a class…", icon: "accept",
    enabled: () => Boolean(onlyCluster()?.new), need: "Select one new cluster first.", run: acceptAsClass,
  },
  {
    id: "seed", group: "Say", key: "e", title: "Make or unmake seeds: they stay where they are", short: "Seed", icon: "seed",
    enabled: some, need: SELECT, pressed: allSeeds, run: toggleSeed,
  },
  { id: "must-link", group: "Say", key: "m", title: "Must-link: the two documents belong together", short: "Must-link", icon: "must", enabled: two, need: TWO, run: () => link("must-link") },
  { id: "cannot-link", group: "Say", key: "h", title: "Cannot-link: the two documents do not belong together", short: "Cannot-link", icon: "cannot", enabled: two, need: TWO, run: () => link("cannot-link") },
  { id: "discard", group: "Say", key: "Delete", label: "Del", title: "Discard the selected documents", short: "Discard", icon: "discard", enabled: some, need: SELECT, run: discard },
  {
    id: "restore", group: "Say", key: "u", title: "Restore discarded documents", short: "Restore", icon: "restore",
    enabled: () => selectedDiscarded().length > 0, need: "Select discarded documents first.", run: restore,
  },

  { id: "preview", group: "See", key: "p", title: "Preview what a refit would move", short: "Preview", icon: "preview", enabled: idle, need: BUSY, badge: () => store.get("state").pending, run: preview },
  { id: "refit", group: "See", key: "r", title: "Refit by all that was said", short: "Refit", icon: "refit", enabled: idle, need: BUSY, run: refit },
  { id: "cancel", group: "See", key: "Esc", shared: true, title: "Cancel the computation", short: "Cancel", icon: "cancel", enabled: () => !idle(), need: "Nothing is being computed.", run: cancel },
  { id: "questions", group: "See", key: "q", title: "Answer questions", short: "Questions", icon: "questions", run: askQuestions },
  { id: "wizard", group: "See", key: "w", title: "Wizard: go through the likeliest mistakes", short: "Wizard", icon: "wizard", run: openWizard },
  { id: "undo", group: "See", key: "Ctrl+Z", title: "Undo", short: "", icon: "undo", detail: () => store.get("state").undo, enabled: () => Boolean(store.get("state").undo), need: "There is nothing to undo.", run: undo },
  { id: "redo", group: "See", key: "Ctrl+Y", keys: ["Ctrl+Shift+Z"], title: "Redo", short: "", icon: "redo", detail: () => store.get("state").redo, enabled: () => Boolean(store.get("state").redo), need: "There is nothing to redo.", run: redo },
  { id: "history", group: "See", key: "y", title: "History of what was said", short: "History", icon: "history", run: () => store.set({ tab: "history" }) },
  { id: "export", group: "See", key: "f", title: "Export the report and the model", short: "Export", icon: "export", run: exportAll },
  { id: "help", group: "See", key: "?", title: "Help: all keys", short: "Help", icon: "help", run: () => openHelp(commands) },
];

export const enabled = (command) =>
  store.get("state") !== null && (command.enabled ? command.enabled() : true);
