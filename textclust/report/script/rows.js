// The table: a page of what was found, its order, and the way to a row.

const ROWS = 100; // of a page
const rows = $("rows"), earlier = $("earlier"), later = $("later");

function row(d) {
  const made = element("tr"), open = button("open", table.titles ? written("span", titleOf(d)) : table.ids[d]);
  made.dataset.d = d;
  const id = table.titles ? element("bdi", "", table.ids[d]) : open;
  made.append(element("td", "id", id));
  if (table.titles) made.append(element("td", "title", open));
  made.append(element("td", "cluster", clusterLink(table.clusters[d])));
  if (table.classes) made.append(element("td", "class", element("bdi", "", classOf(d))));
  made.append(element("td", "score", scoreOf(d)));
  if (table.stability) made.append(element("td", "stability", figure(stabilityOf(d))));
  return made;
}

function showRows() {
  const many = state.found.length, first = state.page * ROWS, last = Math.min(first + ROWS, many);
  rows.replaceChildren(...state.found.slice(first, last).map(row));
  $("found").textContent = howMany() + (many > ROWS ? ` ${number(first + 1)} to ${number(last)} are shown.` : "");
  $("pages").hidden = many <= ROWS;
  $("page").textContent = `Page ${number(state.page + 1)} of ${number(Math.ceil(many / ROWS) || 1)}`;
  earlier.disabled = first === 0;
  later.disabled = last >= many;
  $("save").textContent = many === size ? "Save all as CSV" : `Save these ${number(many)} as CSV`;
  $("save").disabled = many === 0;
  choose(opened && opened.d);
}

function turn(by) {
  state.page += by;
  showRows();
  if (document.activeElement === document.body) (by > 0 ? earlier : later).focus();
  document.querySelector("table.documents").scrollIntoView({ block: "start" });
}

function showInTable(d) {
  if (!state.found.includes(d)) {
    clearSearch();
    find();
    light();
  }
  state.page = Math.floor(state.found.indexOf(d) / ROWS);
  showRows();
  const shown = rows.querySelector(`tr[data-d="${d}"]`), open = shown.querySelector("button");
  opened.from = open;
  shown.scrollIntoView({ block: "center" });
  open.focus({ preventScroll: true });
}

function sortable(head, column) {
  const made = button("", head.textContent);
  made.addEventListener("click", () => {
    state.order = state.by === column && state.order === 1 ? -1 : 1;
    state.by = column;
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", state.order === 1 ? "ascending" : "descending");
    find();
    showRows();
  });
  head.replaceChildren(made);
}

function followRows() {
  rows.addEventListener("click", (event) => {
    const chosen = event.target.closest("tr");
    if (!chosen || event.target.closest("a") || String(getSelection())) return;
    openPanel(Number(chosen.dataset.d), chosen.querySelector("button"));
  });
  earlier.addEventListener("click", () => turn(-1));
  later.addEventListener("click", () => turn(1));
}
