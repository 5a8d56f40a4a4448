// The map: what is pointed at, arrow keys from dot to dot, and what a search lights up.

const REACH = 14; // pixels around the pointer in which a dot is found
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const svg = $("map-svg"), tip = $("tip");
const dots = Array.from(svg.querySelectorAll("circle"), (dot) => ({
  dot, x: dot.cx.baseVal.value, y: dot.cy.baseVal.value, d: Number(dot.dataset.d), isLit: true,
}));
const dotOf = new Map(dots.map((each) => [each.d, each]));
const byElement = new Map(dots.map((each) => [each.dot, each]));
let shown = null, current = null; // the dot with the hint; the one that Tab comes to

function nearestTo({ clientX, clientY }) {
  const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
  const x = (clientX - box.left) * scale, y = (clientY - box.top) * scale;
  let best = null, least = (REACH * scale) ** 2;
  for (const each of dots) {
    const far = (each.x - x) ** 2 + (each.y - y) ** 2;
    if (each.isLit && far < least) [best, least] = [each, far];
  }
  return best;
}

// The nearest dot within 45 degrees of a direction, or else the nearest on that side; of dots in
// the same place the next one.
function towards(from, [across, down]) {
  const ahead = across + down > 0 ? 1 : -1;
  let best = null, least = Infinity;
  for (const each of dots) {
    if (!each.isLit || each === from) continue;
    const dx = each.x - from.x, dy = each.y - from.y;
    const along = dx * across + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * across);
    const isSame = along === 0 && aside === 0 && (each.d - from.d) * ahead > 0;
    if (along <= 0 && !isSame) continue;
    const far = Math.hypot(along, aside) + (aside > along ? 1e6 : 0);
    if (far < least) [best, least] = [each, far];
  }
  return best;
}

function hint(found) {
  if (found === shown) return;
  if (shown) shown.dot.classList.remove("found");
  shown = found;
  tip.hidden = !found;
  if (!found) return;
  const { dot, x, y, d } = found, c = table.clusters[d], view = svg.viewBox.baseVal;
  dot.classList.add("found");
  const where = element("span", "", element("span", "badge c" + c, c), " score " + scoreOf(d));
  if (stabilityOf(d) !== null) where.append(", stability " + figure(stabilityOf(d)));
  tip.replaceChildren(written("strong", titleOf(d)), where);
  tip.style.left = (100 * x) / view.width + "%";
  tip.style.top = (100 * y) / view.height + "%";
  tip.className = (x > view.width / 2 ? "left" : "right") + (y > view.height / 2 ? " up" : " down");
}

// Only the one that Tab comes to has a name and a role: thousands of them would be slow.
function makeCurrent(found) {
  if (current) for (const name of ["tabindex", "role", "aria-label"]) current.dot.removeAttribute(name);
  current = found;
  if (!found) return;
  const { dot, d } = found, c = table.clusters[d];
  dot.setAttribute("tabindex", "0");
  dot.setAttribute("role", "button");
  dot.setAttribute("aria-label", `${titleOf(d)}, cluster ${c}: ${nameOf(c)}`);
}

function goTo(found) {
  makeCurrent(found);
  found.dot.focus();
}

function light() {
  const is = isSearch();
  let lit = 0;
  for (const each of dots) {
    each.isLit = !is || matches(each.d);
    each.dot.classList.toggle("hit", is && each.isLit);
    lit += each.isLit;
  }
  svg.classList.toggle("searching", is);
  const names = svg.querySelector(".names");
  if (is) svg.prepend(names); // no name lies over a dot that is lit
  else svg.append(names);
  if (!current || !current.isLit) makeCurrent(dots.find((each) => each.isLit) || null);
  $("lit").textContent = !is ? "" : howMany()
    + (lit < state.found.length ? ` ${number(lit)} of them ${lit === 1 ? "is" : "are"} on the map.` : "");
}

function shadable(place) {
  const [made, meaning] = place.children;
  for (const { dot, d } of dots) {
    const stable = stabilityOf(d);
    if (stable !== null) dot.classList.add("u" + Math.min(4, Math.floor(5 * stable)));
  }
  made.addEventListener("click", () => {
    const on = svg.classList.toggle("shaded");
    made.setAttribute("aria-pressed", on);
    meaning.hidden = !on;
  });
  place.hidden = false;
}

function followPointer() {
  svg.addEventListener("pointermove", (event) => {
    hint(nearestTo(event));
    svg.classList.toggle("pointing", Boolean(shown));
  });
  svg.addEventListener("pointerleave", () => hint(null));
  svg.addEventListener("click", (event) => {
    const found = event.target.closest("a") ? null : nearestTo(event);
    if (!found) return;
    makeCurrent(found);
    hint(null);
    openPanel(found.d, found.dot);
  });
}

function followKeys() {
  const group = svg.querySelector(".dots");
  group.removeAttribute("aria-hidden");
  svg.setAttribute("aria-describedby", "map-keys");
  $("map-keys").hidden = false;
  group.addEventListener("keydown", (event) => {
    const from = byElement.get(event.target), direction = ARROWS[event.key];
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) {
      const found = towards(from, direction);
      if (found) goTo(found);
    } else if (event.key === "Enter" || event.key === " ") {
      openPanel(from.d, from.dot);
    } else return;
    event.preventDefault();
  });
  group.addEventListener("focusin", (event) => hint(byElement.get(event.target) || null));
  group.addEventListener("focusout", () => hint(null));
}

function followLegend() {
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
