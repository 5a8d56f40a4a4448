// The page: get what there is, start every part, show what the server is doing.

import { get, listen } from "./api.js";
import { startClusters } from "./clusters.js";
import { startControls } from "./controls.js";
import { $, documents } from "./dom.js";
import { startDocuments } from "./documents.js";
import { startHistory } from "./history.js";
import { startMap } from "./map.js";
import { startPointing } from "./pointing.js";
import { startPreview } from "./preview.js";
import { startReader } from "./reader.js";
import { complain, say } from "./status.js";
import { adopt, store } from "./store.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { startWizard } from "./wizard.js";

const LOST = {
  stopped: "The workbench has stopped; start textclust open again. Nothing acknowledged is lost.",
  denied:
    "The workbench was started again: open the address that it printed. Nothing acknowledged is lost.",
};

function showLost() {
  const lost = store.get("lost");
  $("lost").textContent = lost ? LOST[lost] : "";
  $("lost").classList.toggle("shown", Boolean(lost));
  if (!lost) say("The workbench answers again.");
}

function showBusy() {
  const busy = store.get("busy");
  const bar = $("progress");
  bar.classList.toggle("shown", Boolean(busy));
  bar.max = busy?.of || 1;
  bar.value = busy?.done ?? 0;
  $("doing").textContent = busy ? `${busy.what}, ${busy.done} of ${busy.of}` : "";
}

function showSelection() {
  const { size } = store.get("selected");
  $("selection").textContent = size ? `${documents(size)} selected` : "Nothing selected";
}

async function start() {
  startTheme();
  store.on(["lost"], showLost);
  const collection = await get("/api/collection");
  store.set({ collection });
  document.title = `${collection.source} – textclust`;
  $("source").textContent = collection.source;
  $("source").title = collection.project;
  document.querySelector("[data-command=accept]").hidden = !collection.background;
  startMap();
  startPointing();
  startClusters();
  startDocuments();
  startReader();
  startPreview();
  startWizard();
  startHistory();
  startTabs();
  startControls();
  store.on(["busy"], showBusy);
  store.on(["selected"], showSelection);
  showSelection();
  adopt(await get("/api/state"));
  say(`${documents(collection.documents)} in ${collection.source}.`);
  listen();
}

window.textclust = { store };
start().catch(complain);
