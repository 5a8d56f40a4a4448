// The documents of the page, and elements made of them. Text goes into the page by textContent
// alone, and links lead to places of the page or, from the page's own folder, to files.

const $ = (id) => document.getElementById(id);
const table = JSON.parse($("data").textContent);
const size = table.ids.length;
const searched = new Array(size);
const withoutFile = table.files && new Set(table.files.without);

const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
const number = (n) => n.toLocaleString("en-GB");
const titleOf = (d) => (table.titles && table.titles[d]) || table.ids[d];
const excerptOf = (d) => (table.excerpts && table.excerpts[d]) || "";
const classOf = (d) => (table.classes && table.kinds[table.classes[d]]) || "";
const nameOf = (c) => (c < 0 ? "fits nowhere" : table.names[c]);
const scoreOf = (d) => table.scores[d].toFixed(3);
const stabilityOf = (d) => (table.stability ? table.stability[d] : null);
const figure = (value) => (value === null ? "" : value.toFixed(3));

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function button(className, ...children) {
  const made = element("button", className, ...children);
  made.type = "button";
  return made;
}

function written(name, text, className) {
  const made = element(name, className, text);
  made.dir = "auto";
  return made;
}

function clusterLink(c) {
  const link = element("a", "to");
  link.href = c < 0 ? "#nowhere" : "#cluster-" + c;
  if (c >= 0) link.append(element("span", "badge c" + c, c), " ");
  link.append(element("bdi", "", nameOf(c)));
  return link;
}

function fileOf(d) {
  if (!table.files || withoutFile.has(d)) return null;
  return table.files.folder + table.ids[d].split("/").map(encodeURIComponent).join("/");
}

function searchedText(d) {
  if (searched[d] === undefined) {
    const c = table.clusters[d];
    const parts = [titleOf(d), table.ids[d], c + " " + nameOf(c), classOf(d), excerptOf(d)];
    searched[d] = folded(parts.join("\n"));
  }
  return searched[d];
}
