"use strict";
// Search, sorting and the map's hints. Text goes into the page by textContent alone.
(() => {
  const MOST_ROWS = 200;
  const REACH = 14; // pixels around the pointer in which a dot is found
  const $ = (id) => document.getElementById(id);
  const svg = $("map-svg"), tip = $("tip"), query = $("query"), only = $("cluster");
  let held = null;
  const state = { words: [], cluster: null, order: 0, first: -1 };

  const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const number = (n) => n.toLocaleString("en-GB");

  function table() {
    if (!held) {
      held = JSON.parse($("data").textContent);
      held.searched = new Array(held.ids.length);
    }
    return held;
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function titleOf(d) {
    return (table().titles && table().titles[d]) || table().ids[d];
  }

  function classOf(d) {
    return table().classes ? table().kinds[table().classes[d]] || "" : "";
  }

  function nameOf(c) {
    return c < 0 ? "fits nowhere" : table().names[c];
  }

  function searchedText(d) {
    const t = table();
    if (t.searched[d] === undefined) {
      const c = t.clusters[d];
      const parts = [titleOf(d), t.ids[d], c + " " + nameOf(c), classOf(d)];
      if (t.excerpts) parts.push(t.excerpts[d]);
      t.searched[d] = folded(parts.join("\n"));
    }
    return t.searched[d];
  }

  function matches() {
    const t = table(), found = [];
    for (let d = 0; d < t.ids.length; d++) {
      if (state.cluster !== null && t.clusters[d] !== state.cluster) continue;
      if (state.words.length) {
        const text = searchedText(d);
        if (!state.words.every((word) => text.includes(word))) continue;
      }
      found.push(d);
    }
    if (state.order) found.sort((a, b) => state.order * (t.scores[a] - t.scores[b]) || a - b);
    return found;
  }

  function cell(name, child) {
    const made = element("td", name);
    made.append(child);
    return made;
  }

  function clusterLink(c) {
    const link = element("a");
    link.href = c < 0 ? "#nowhere" : "#cluster-" + c;
    link.className = "to";
    if (c >= 0) link.append(element("span", "badge c" + c, c), " ");
    link.append(element("bdi", "", nameOf(c)));
    return link;
  }

  function titleCell(d) {
    const t = table(), title = element("span", "", t.titles[d]);
    title.dir = "auto";
    if (!t.excerpts || !t.excerpts[d]) return cell("title", title);
    const opened = element("details"), summary = element("summary");
    const excerpt = element("p", "excerpt", t.excerpts[d]);
    excerpt.dir = "auto";
    summary.append(title);
    opened.append(summary, excerpt);
    return cell("title", opened);
  }

  function row(d) {
    const t = table(), made = element("tr");
    made.append(cell("id", element("bdi", "", t.ids[d])));
    if (t.titles) made.append(titleCell(d));
    made.append(cell("cluster", clusterLink(t.clusters[d])));
    if (t.classes) made.append(cell("class", element("bdi", "", classOf(d))));
    made.append(element("td", "score", t.scores[d].toFixed(3)));
    return made;
  }

  function show() {
    let found = matches();
    const many = found.length;
    if (state.first >= 0) found = [state.first, ...found.filter((d) => d !== state.first)];
    const some = found.slice(0, MOST_ROWS);
    $("rows").replaceChildren(...some.map(row));
    const all = number(table().ids.length);
    const asked = state.words.length > 0 || state.cluster !== null;
    $("found").textContent = !asked
      ? (some.length < many ? "The first " + number(some.length) + " of " + all : "All " + all)
        + " documents."
      : many === 0 ? "None of the " + all + " documents matches."
      : number(many) + " of " + all + (many === 1 ? " documents matches." : " documents match.")
        + (many > MOST_ROWS ? " The first " + MOST_ROWS + " are shown." : "");
  }

  function search() {
    state.words = folded(query.value).split(/\s+/).filter(Boolean);
    state.cluster = only.value === "" ? null : Number(only.value);
    state.first = -1;
    show();
  }

  function open(d) {
    query.value = only.value = "";
    Object.assign(state, { words: [], cluster: null, first: d });
    show();
    const top = $("rows").firstElementChild;
    const opened = top.querySelector("details");
    if (opened) opened.open = true;
    top.className = "chosen";
    top.tabIndex = -1;
    top.scrollIntoView({ block: "center" });
    top.focus({ preventScroll: true });
  }

  function sortable() {
    const head = $("by-score"), button = element("button", "", "Score");
    button.type = "button";
    button.addEventListener("click", () => {
      state.order = state.order === 1 ? -1 : 1;
      head.setAttribute("aria-sort", state.order === 1 ? "ascending" : "descending");
      state.first = -1;
      show();
    });
    head.replaceChildren(button);
  }

  function readDots() {
    return Array.from(svg.querySelectorAll("circle"), (dot) => ({
      dot, x: dot.cx.baseVal.value, y: dot.cy.baseVal.value, d: Number(dot.dataset.d),
    }));
  }

  function mapHints() {
    const dots = readDots();
    let last = null;
    const near = (event) => {
      const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
      let best = null, least = (REACH * scale) ** 2;
      for (const dot of dots) {
        const far = (dot.x - x) ** 2 + (dot.y - y) ** 2;
        if (far < least) [best, least] = [dot, far];
      }
      return best;
    };
    const hint = (found) => {
      if (found === last) return;
      if (last) last.dot.classList.remove("found");
      last = found;
      tip.hidden = !found;
      svg.classList.toggle("pointing", Boolean(found));
      if (found) tell(found);
    };
    svg.addEventListener("pointermove", (event) => hint(near(event)));
    svg.addEventListener("pointerleave", () => hint(null));
    svg.addEventListener("click", (event) => {
      const found = event.target.closest("a") ? null : near(event);
      if (found) open(found.d);
    });
  }

  function tell({ dot, x, y, d }) {
    const c = table().clusters[d], view = svg.viewBox.baseVal;
    dot.classList.add("found");
    const title = element("strong", "", titleOf(d)), where = element("span");
    title.dir = "auto";
    where.append(element("span", "badge c" + c, c), " score " + table().scores[d].toFixed(3));
    tip.replaceChildren(title, where);
    tip.style.left = (100 * x) / view.width + "%";
    tip.style.top = (100 * y) / view.height + "%";
    tip.className = (x > view.width / 2 ? "left" : "right") + (y > view.height / 2 ? " up" : " down");
  }

  function legendHints() {
    for (const entry of document.querySelectorAll(".legend li")) {
      const group = svg.querySelector(".dots .c" + entry.dataset.c);
      const lit = (on) => () => {
        svg.classList.toggle("lit", on);
        if (group) group.classList.toggle("on", on);
      };
      for (const name of ["pointerenter", "focusin"]) entry.addEventListener(name, lit(true));
      for (const name of ["pointerleave", "focusout"]) entry.addEventListener(name, lit(false));
    }
  }

  let waiting = 0;
  query.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 80);
  });
  only.addEventListener("change", search);
  $("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  $("search").hidden = false;
  query.value = new URLSearchParams(location.hash.slice(1)).get("q") || "";
  if (query.value) search();
  sortable();
  mapHints();
  legendHints();
  const making = document.querySelector('a[href="#making"]');
  making.addEventListener("click", () => { $("making").open = true; });
})();
