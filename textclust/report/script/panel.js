// One document beside the rest of the page: what it says, where it is and why.

const panel = $("panel");
const leading = new Map(); // the words of the leading terms of each cluster, once asked for
let opened = null; // the document, and what to go back to

function leadingWords(c) {
  if (!leading.has(c)) {
    const heading = $("cluster-" + c), card = heading && heading.closest("article");
    const terms = card ? card.querySelectorAll(".term, .chips bdi") : [];
    const words = Array.from(terms, (term) => folded(term.textContent).split(/\s+/)).flat();
    leading.set(c, new Set(words.filter((word) => word.length > 1)));
  }
  return leading.get(c);
}

function marked(text, c) {
  const made = document.createDocumentFragment(), own = leadingWords(c);
  let end = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    const plain = folded(word), asked = state.words.some((part) => plain.includes(part));
    if (!asked && !own.has(plain)) continue;
    made.append(text.slice(end, index), element("mark", asked ? "asked" : "", word));
    end = index + word.length;
  }
  made.append(text.slice(end));
  return made;
}

function where(d) {
  const made = element("p", "meta", element("bdi", "id", table.ids[d]));
  if (classOf(d)) made.append(element("span", "", "class ", element("bdi", "", classOf(d))));
  made.append(element("span", "", "score " + scoreOf(d)));
  if (stabilityOf(d) !== null) made.append(element("span", "", "stability " + figure(stabilityOf(d))));
  return made;
}

function pulls(d) {
  const known = table.pulls && table.pulls[d];
  if (!known) return [];
  const [second, here, there] = known, made = element("p", "pulls", "Second choice: ");
  made.append(clusterLink(second), ".");
  for (const [side, terms] of [["here", here], ["there", there]]) {
    if (!terms.length) continue;
    made.append(` Terms that pull it ${side}: `);
    terms.forEach((term, i) => made.append(i ? ", " : "", element("bdi", "", element("b", "", term))));
    made.append(".");
  }
  return [made];
}

function ways(d) {
  const made = element("p", "ways"), row = button("", "Show in the table"), file = fileOf(d);
  row.addEventListener("click", () => showInTable(d));
  if (file) {
    const link = element("a", "", "Open the file");
    Object.assign(link, { href: file, target: "_blank", rel: "noopener noreferrer" });
    made.append(link);
  }
  made.append(row);
  return made;
}

function notes(d, text) {
  const c = table.clusters[d], said = [];
  if (text.querySelector("mark")) {
    said.push("Marked: leading terms of its cluster"
      + (text.querySelector(".asked") ? ", and what you search for." : "."));
  }
  if (c >= 0 && !dotOf.has(d)) said.push("It is not on the map.");
  return said.length ? [element("p", "note", said.join(" "))] : [];
}

function content(d) {
  const c = table.clusters[d], close = button("close", "Close");
  const heading = written("h2", titleOf(d)), excerpt = written("p", "", "excerpt");
  heading.id = "panel-title";
  heading.tabIndex = -1;
  close.addEventListener("click", closePanel);
  excerpt.append(marked(excerptOf(d), c));
  return [close, heading, where(d), element("p", "", clusterLink(c)), ...pulls(d), excerpt,
    ...notes(d, excerpt), ways(d)];
}

// The page becomes narrower or wider; what was pointed at stays where it was, and in sight where
// the panel is at the foot of the page.
function inPlace(anchor, change) {
  const before = anchor.getBoundingClientRect().top;
  change();
  const { top, bottom } = anchor.getBoundingClientRect(), edge = panel.getBoundingClientRect();
  const hidden = !panel.hidden && edge.left === 0 ? Math.max(0, bottom + 12 - edge.top) : 0;
  scrollBy({ top: Math.max(top - before, hidden), behavior: "instant" });
}

function choose(d) {
  for (const old of document.querySelectorAll(".chosen")) old.classList.remove("chosen");
  if (d === null) return;
  if (dotOf.has(d)) dotOf.get(d).dot.classList.add("chosen");
  const row = $("rows").querySelector(`tr[data-d="${d}"]`);
  if (row) row.classList.add("chosen");
}

function openPanel(d, from) {
  opened = { d, from };
  inPlace(from, () => {
    panel.replaceChildren(...content(d));
    panel.hidden = false;
    document.body.classList.add("reading");
  });
  panel.scrollTop = 0;
  choose(d);
  $("panel-title").focus({ preventScroll: true });
}

function closePanel() {
  if (!opened) return;
  const { d, from } = opened, row = $("rows").querySelector(`tr[data-d="${d}"] button`);
  const back = from.isConnected ? from : row || boxes[0];
  opened = null;
  inPlace(back, () => {
    panel.hidden = true;
    document.body.classList.remove("reading");
  });
  choose(null);
  back.focus({ preventScroll: true });
}
