// What is looked for, from either box, and which documents match, in the order of the table.

const boxes = [$("query"), $("query-map")], only = $("cluster");
const state = { words: [], cluster: null, order: 0, by: "scores", page: 0, found: [] };
const isSearch = () => state.words.length > 0 || state.cluster !== null;

function matches(d) {
  if (state.cluster !== null && table.clusters[d] !== state.cluster) return false;
  if (!state.words.length) return true;
  const text = searchedText(d);
  return state.words.every((word) => text.includes(word));
}

function readSearch(from) {
  for (const box of boxes) if (box !== from) box.value = from.value;
  state.words = folded(from.value).split(/\s+/).filter(Boolean);
  state.cluster = only.value === "" ? null : Number(only.value);
}

function clearSearch() {
  only.value = boxes[0].value = "";
  readSearch(boxes[0]);
}

function find() {
  state.found = [];
  for (let d = 0; d < size; d++) if (matches(d)) state.found.push(d);
  const { order } = state, by = table[state.by];
  if (order) state.found.sort((a, b) => order * (by[a] - by[b]) || a - b);
  state.page = 0;
}

function howMany() {
  const many = state.found.length, all = number(size);
  if (!isSearch()) return "All " + all + " documents.";
  if (!many) return "None of the " + all + " documents matches.";
  return number(many) + " of " + all + (many === 1 ? " documents matches." : " documents match.");
}
