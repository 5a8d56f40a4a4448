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
  acceptAsClass,
  allSeeds,
  discard,
  exportAll,
  link,
  moveTo,
  newCluster,
  nthCluster,
  redo,
  rename,
  restore,
  toggleLock,
  toggleSeed,
  undo,
} from "./saying.js";
import {
  clearSelection,
  onlyCluster,
  scopeRows,
  selectRows,
  selectedDiscarded,
  selectedKept,
} from "./selection.js";
import { split } from "./split.js";
import { store } from "./store.js";
import { back } from "./tabs.js";
import { toggleTheme } from "./theme.js";
import { openWizard } from "./wizard.js";

const some = () => selectedKept().length > 0;
const one = () => onlyCluster() !== null;
const two = () => store.get("selected").size === 2 && selectedKept().length === 2;
const idle = () => !store.get("busy");
const documents = { enabled: some, need: "Select documents first." };
const cluster = { enabled: one, need: "Select one cluster first." };
const pair = { enabled: two, need: "Select exactly two documents first." };
const rested = { enabled: idle, need: "Something is being computed: wait, or cancel it." };

export const commands = [];

/**
 * `short` is what the button says (empty: its icon alone). Among the rest: `enabled` and, as a
 * sentence, what is needed for it; `pressed` for what is on or off; `keys` are further keys.
 */
const add = (group) => (id, key, short, title, run, rest) =>
  commands.push({ group, id, key, short, title, run, ...rest });

const look = add("Look");

const order = (name, key, title) =>
  look(
    `order-${name}`,
    key,
    name[0].toUpperCase() + name.slice(1),
    title,
    () => store.set({ order: name, tab: "list" }),
    {
      pressed: () => store.get("order") === name,
    },
  );

look("search", "/", "Search", "Search", () => $("search").focus());
order("collection", "o", "List in the order of the collection");
order("typical", "t", "List the most typical documents first");
order("borderline", "b", "List borderline documents first");
order("novel", "n", "List novel documents first: far from every cluster");
order("duplicates", "d", "List near duplicates side by side");
look("next", "j", "Next", "Next document", () => step(1), { keys: ["ArrowDown", "ArrowRight"] });
look("previous", "k", "Previous", "Previous document", () => step(-1), {
  keys: ["ArrowUp", "ArrowLeft"],
});
look("lasso", "l", "Lasso", "Lasso: draw around documents on the map", toggleLasso, {
  pressed: () => store.get("lasso"),
});
look("zoom-in", "+", "", "Zoom in", () => zoomBy(1.4), { keys: ["="] });
look("zoom-out", "-", "", "Zoom out", () => zoomBy(1 / 1.4));
look("zoom-all", "0", "", "Show the whole map", showWhole);
look("select-listed", "a", "Select all", "Select all that the list shows", selectListed);
look("clear", "Esc", "Back", "Cancel, go back, or select nothing", escape);
look("theme", null, "", "Change between light and dark", toggleTheme);

const tell = add("Say");
for (let n = 1; n <= 9; n++) {
  tell(`move-${n}`, String(n), "", `Move to cluster ${n} of the list`, () => moveToNth(n), {
    enabled: () => store.get("selected").size > 0 && nthCluster(n) !== null,
    need: `Select documents first; key ${n} needs ${n} clusters.`,
    unlisted: true,
  });
}
tell("move", "v", "Move to…", "Move the selected documents to a cluster", chooseCluster, {
  ...documents,
  enabled: () => store.get("selected").size > 0,
});
tell("new", "c", "New cluster…", "New cluster of the selected documents", newCluster, documents);
tell("merge", "g", "Merge…", "Merge the selected clusters", merge, {
  enabled: () => [...store.get("picks")].filter(Boolean).length > 1,
  need: "Select two or more clusters first: with Shift and a click, or with Space in their list.",
});
tell("split", "s", "Split…", "Split the cluster", split, cluster);
tell("rename", "F2", "Rename…", "Rename the cluster", rename, cluster);
tell("lock", "x", "Lock", "Lock or unlock the cluster: its documents stay", toggleLock, {
  ...cluster,
  pressed: () => Boolean(onlyCluster()?.locked),
});
tell("accept", null, "Accept as a class…", "Accept the new cluster as a class", acceptAsClass, {
  enabled: () => Boolean(onlyCluster()?.new),
  need: "Select one new cluster first.",
});
tell("seed", "e", "Seed", "Make or unmake seeds: they stay where they are", toggleSeed, {
  ...documents,
  pressed: allSeeds,
});
tell("must-link", "m", "Must-link", "Must-link: the two documents belong together", mustLink, pair);
tell(
  "cannot-link",
  "h",
  "Cannot-link",
  "Cannot-link: the two documents do not belong together",
  cannotLink,
  pair,
);
tell("discard", "Delete", "Discard", "Discard the selected documents", discard, {
  ...documents,
  label: "Del",
});
tell("restore", "u", "Restore", "Restore discarded documents", restore, {
  enabled: () => selectedDiscarded().length > 0,
  need: "Select discarded documents first.",
});

const see = add("See");
see("preview", "p", "Preview", "Preview what a refit would move", preview, {
  ...rested,
  badge: () => store.get("state").pending,
});
see("refit", "r", "Refit", "Refit by all that was said", refit, rested);
see("cancel", "Esc", "Cancel", "Cancel the computation", cancel, {
  enabled: () => !idle(),
  need: "Nothing is being computed.",
  shared: true, // the key belongs to "clear"
});
see("questions", "q", "Questions", "Answer questions", askQuestions);
see("wizard", "w", "Wizard", "Wizard: go through the most likely mistakes", openWizard);
see("undo", "Ctrl+Z", "", "Undo", undo, {
  detail: () => store.get("state").undo,
  enabled: () => Boolean(store.get("state").undo),
  need: "There is nothing to undo.",
});
see("redo", "Ctrl+Y", "", "Redo", redo, {
  keys: ["Ctrl+Shift+Z"],
  detail: () => store.get("state").redo,
  enabled: () => Boolean(store.get("state").redo),
  need: "There is nothing to redo.",
});
see("history", "y", "History", "History of what was said", () => store.set({ tab: "history" }));
see("export", "f", "Export", "Export the report and the model", exportAll);
see("help", "?", "Help", "Help: all keys", () => openHelp(commands));

function toggleLasso() {
  store.set({ lasso: !store.get("lasso") });
}

function selectListed() {
  const matches = store.get("matches");
  const rows = scopeRows();
  selectRows(matches ? rows.filter((row) => matches.has(row)) : rows);
}

/** Esc ends what is nearest: a computation, the lasso, the open document, the selection. */
function escape() {
  if (store.get("busy")) cancel();
  else if (!cancelLasso() && !back()) clearSelection();
}

function moveToNth(n) {
  moveTo(nthCluster(n).number);
}

function mustLink() {
  link("must-link");
}

function cannotLink() {
  link("cannot-link");
}

export const enabled = (command) =>
  store.get("state") !== null && (command.enabled ? command.enabled() : true);
