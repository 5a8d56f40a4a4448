// The clusters at the left: choose them, or drop documents on them.

import { $, el, foreign, icon, number } from "./dom.js";
import { Listbox } from "./listbox.js";
import { swatch } from "./marks.js";
import { moveTo } from "./saying.js";
import { pickCluster } from "./selection.js";
import { store } from "./store.js";

let list;
const closed = new Set(); // names of groups whose clusters are hidden

export function startClusters() {
  const box = $("clusters");
  list = new Listbox(box, "cluster", {
    chosen: (name, event) =>
      pickCluster(name, {
        add: event.shiftKey || event.ctrlKey || event.metaKey || event.key === " ",
      }),
  });
  box.addEventListener("dragover", (event) => {
    mark(event.target);
    if (event.target.closest("[data-cluster]")) event.preventDefault();
  });
  box.addEventListener("dragleave", () => mark(null));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(null);
    const target = event.target.closest("[data-cluster]");
    if (target) moveTo(Number(target.dataset.cluster));
  });
  store.on(["state", "theme"], show);
  store.on(["picks"], showPicks);
}

function mark(target) {
  for (const marked of document.querySelectorAll(".target")) marked.classList.remove("target");
  target?.closest("[data-cluster]")?.classList.add("target");
}

function show() {
  const state = store.get("state");
  if (!state) return;
  const made = new Map(state.clusters.map((cluster, i) => [cluster.number, option(cluster, i)]));
  const grouped = new Set(state.groups.flatMap((group) => group.clusters));
  const alone = [...made.keys()].filter((name) => !grouped.has(name));
  const options = [...alone, ...grouped].map((name) => made.get(name));
  if (state.discarded.length) options.push(discardedOption(state.discarded.length));
  openAll();
  list.fill(options);
  for (const group of state.groups) gather(group);
  showToggle(state.groups);
  showPicks();
  $("cluster-count").textContent = number(state.clusters.length);
}

/** Groups taken apart, so that the list has its options alone. */
function openAll() {
  for (const group of $("clusters").querySelectorAll("[role=group]")) {
    group.replaceWith(...group.querySelectorAll("[role=option]"));
  }
}

/** The options of a group put into one box, with a name that closes it; `closed` has names. */
function gather({ name, clusters }) {
  const inside = el("ul", { role: "presentation", hidden: closed.has(name) });
  const size = clusters.length;
  const heading = el(
    "div",
    { class: "group-name", "aria-hidden": "true", onclick: () => turn([name], !closed.has(name)) },
    foreign(name),
    el("span", { class: "soft" }, closed.has(name) ? `${number(size)} …` : number(size)),
  );
  const group = el("li", { role: "group", "aria-label": name }, heading, inside);
  list.optionOf(clusters[0]).before(group);
  inside.append(...clusters.map((cluster) => list.optionOf(cluster)));
}

/** Close groups of these names, or open them. */
function turn(names, close) {
  for (const name of names) {
    if (close) closed.add(name);
    else closed.delete(name);
  }
  show();
}

function showToggle(groups) {
  const names = groups.map((group) => group.name);
  const close = !names.every((name) => closed.has(name));
  const toggle = $("group-toggle");
  toggle.hidden = !names.length;
  toggle.textContent = close ? "Close groups" : "Open groups";
  toggle.onclick = () => turn(names, close);
}

function showPicks() {
  for (const made of list.options) {
    made.setAttribute("aria-selected", String(store.get("picks").has(list.nameOf(made))));
  }
}

function option(cluster, i) {
  const facts = [];
  if (cluster.locked) facts.push(el("span", { class: "fact" }, icon("lock"), "locked"));
  if (cluster.seeds)
    facts.push(
      el(
        "span",
        { class: "fact" },
        icon("seed"),
        `${number(cluster.seeds)} ${cluster.seeds === 1 ? "seed" : "seeds"}`,
      ),
    );
  if (store.get("collection").background) {
    facts.push(el("span", { class: "fact tag" }, cluster.new ? "new" : "class"));
  }
  return el(
    "li",
    { role: "option", tabindex: "-1", "data-cluster": cluster.number, "aria-selected": "false" },
    swatch(cluster),
    el(
      "span",
      { class: "cluster-text" },
      foreign(cluster.name, { class: "cluster-name" }),
      foreign(cluster.terms.join(", "), { class: "cluster-terms" }),
      el("span", { class: "facts" }, facts),
    ),
    el(
      "span",
      { class: "cluster-size" },
      number(cluster.size),
      i < 9 ? el("kbd", { "aria-label": `, key ${i + 1}` }, String(i + 1)) : null,
    ),
  );
}

const discardedOption = (size) =>
  el(
    "li",
    { role: "option", tabindex: "-1", "data-cluster": 0, "aria-selected": "false" },
    swatch(null),
    el("span", { class: "cluster-text" }, el("span", { class: "cluster-name" }, "Discarded")),
    el("span", { class: "cluster-size" }, number(size)),
  );
