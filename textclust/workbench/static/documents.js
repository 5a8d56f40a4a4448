// The list of documents: what the scope and the search leave, in one of five orders.

import { get } from "./api.js";
import { $, debounced, documents, el, foreign, icon } from "./dom.js";
import { Listbox } from "./listbox.js";
import { nameOf, swatch } from "./marks.js";
import { openRow, selectRows, toggleRow } from "./selection.js";
import { complain, say } from "./status.js";
import { clusterOf, store } from "./store.js";

const PAGE = 100;
const MOST_ROWS = 4000; // an address can name no more

let list;
let entries = [];
let total = 0;
let asked = 0; // answers to older questions are ignored
let loading = false;
let refused = false; // the search could not be read
let anchor = null; // where a range began

export function startDocuments() {
  const box = $("documents");
  list = new Listbox(box, "row", { moved, chosen, atEnd: more });
  box.addEventListener("scroll", () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 400) more();
  });
  box.addEventListener("dragstart", drag);
  const soon = debounced(30, load);
  store.on(["scope", "order", "search"], (changed) => {
    if (changed.some((key) => key !== "search") || !store.get("search").text) box.scrollTop = 0;
    soon();
  });
  store.on(["state"], soon);
  store.on(["selected", "open"], showSelected);
  store.on(["theme"], show);
  startSearch();
}

function startSearch() {
  const field = $("search");
  const change = () =>
    store.set({ search: { text: field.value, regex: $("regex").checked }, tab: "list" });
  field.addEventListener("input", debounced(220, change));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value) {
      field.value = "";
      change();
    }
    if (event.key === "Enter") list.focus();
  });
  $("regex").addEventListener("change", change);
}

function query(offset, limit) {
  const { text, regex } = store.get("search");
  const scope = store.get("scope");
  const wanted = { order: store.get("order"), offset, limit };
  if (text) Object.assign(wanted, { search: text, regex: regex ? 1 : 0 });
  if (scope.kind === "cluster") wanted.cluster = scope.number;
  if (scope.kind === "rows") wanted.rows = scope.rows.slice(0, MOST_ROWS).join(",");
  return wanted;
}

async function load() {
  const turn = ++asked;
  loading = true;
  try {
    const answer = await fetchFirst();
    if (turn !== asked) return;
    entries = answer.rows;
    total = answer.total;
    if (refused) say("");
    refuse(false);
    publish(answer.matches);
  } catch (error) {
    if (turn !== asked) return;
    refuse(store.get("search").text !== "");
    complain(error);
  } finally {
    if (turn === asked) loading = false;
  }
}

function fetchFirst() {
  const scope = store.get("scope");
  if (scope.kind === "rows" && !scope.rows.length) return { rows: [], total: 0, matches: null };
  const shown = Math.min(entries.length, 10 * PAGE);
  return get("/api/documents", query(0, Math.max(PAGE, shown)));
}

function refuse(refusal) {
  refused = refusal;
  if (refused) $("search").setAttribute("aria-invalid", "true");
  else $("search").removeAttribute("aria-invalid");
}

async function more() {
  if (loading || entries.length >= total) return;
  const turn = asked;
  loading = true;
  try {
    const answer = await get("/api/documents", query(entries.length, PAGE));
    if (turn !== asked) return;
    entries = [...entries, ...answer.rows];
    store.set({ listed: entries.map((entry) => entry.row) });
    show();
  } catch (error) {
    complain(error);
  } finally {
    if (turn === asked) loading = false;
  }
}

function publish(matches) {
  const before = store.get("matches");
  const found = matches ? new Set(matches) : null;
  const patch = { listed: entries.map((entry) => entry.row) };
  if (before || found) patch.matches = found;
  store.set(patch);
  show();
}

function show() {
  if (!store.get("state")) return;
  list.fill(entries.map(option));
  showSelected();
  const scope = store.get("scope");
  const found = store.get("search").text ? " found" : "";
  const where = {
    all: "in the collection",
    cluster: `in ‘${nameOf(scope.number)}’`,
    rows: "in the selection",
  };
  const cut =
    scope.kind === "rows" && scope.rows.length > MOST_ROWS
      ? ` (the first ${MOST_ROWS} of ${scope.rows.length} selected)`
      : "";
  $("list-title").textContent = `${documents(total)}${found} ${where[scope.kind]}${cut}`;
}

function option(entry, i) {
  return el(
    "li",
    {
      role: "option",
      tabindex: "-1",
      "data-row": entry.row,
      draggable: "true",
      "aria-posinset": i + 1,
      "aria-setsize": total,
    },
    el("span", { class: "tick", "aria-hidden": "true" }, icon("tick")),
    swatch(clusterOf(entry.cluster)),
    el(
      "span",
      { class: "entry" },
      el(
        "span",
        { class: "entry-title" },
        foreign(entry.title || entry.id),
        entry.seed ? el("span", { class: "fact" }, icon("seed"), "seed") : null,
      ),
      foreign(entry.excerpt, { class: "excerpt" }),
    ),
  );
}

function showSelected() {
  const selected = store.get("selected");
  for (const made of list.options) {
    const row = list.nameOf(made);
    made.setAttribute("aria-selected", String(selected.has(row)));
    made.classList.toggle("open", row === store.get("open"));
  }
}

function moved(row, event) {
  if (event.shiftKey) extend(row);
  else {
    anchor = row;
    selectRows([row]);
  }
}

function chosen(row, event) {
  if (event.shiftKey) extend(row);
  else if (event.key === " " || event.ctrlKey || event.metaKey || event.target.closest(".tick")) {
    anchor = row;
    toggleRow(row);
  } else {
    anchor = row;
    openRow(row);
  }
}

function extend(row) {
  const rows = store.get("listed");
  const ends = [rows.indexOf(anchor ?? row), rows.indexOf(row)].sort((a, b) => a - b);
  selectRows(rows.slice(Math.max(0, ends[0]), ends[1] + 1));
}

function drag(event) {
  const row = Number(event.target.closest("[data-row]").dataset.row);
  if (!store.get("selected").has(row)) selectRows([row]);
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", documents(store.get("selected").size));
}

export const focusList = () => list.focus(store.get("open") ?? undefined);

/** Open the document after or before the open one, in the order of the list. */
export function step(by) {
  const rows = store.get("listed");
  const at = rows.indexOf(store.get("open"));
  const row = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
  if (row === undefined) return;
  openRow(row);
  anchor = row;
  const shown = list.optionOf(row);
  if (shown) list.setStop(shown);
  if (at + by > rows.length - 5) more();
}
