// What was found as CSV, in the order of the table, made in the page. A cell that a spreadsheet
// would run as a formula gets a ' before it, as in the tables that textclust writes.

const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

function cellOf(value) {
  const text = String(value);
  const safe = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

function asCsv() {
  const columns = [
    ["id", (d) => table.ids[d]],
    ...(table.titles ? [["title", titleOf]] : []),
    ["cluster", (d) => table.clusters[d]],
    ["name", (d) => nameOf(table.clusters[d])],
    ...(table.classes ? [["class", classOf]] : []),
    ["score", (d) => table.scores[d]],
    ...(table.stability ? [["stability", (d) => stabilityOf(d) ?? ""]] : []),
  ];
  const line = (d) => columns.map(([, read]) => cellOf(read(d))).join(",");
  return [columns.map(([name]) => name).join(","), ...state.found.map(line), ""].join("\n");
}

function save() {
  const link = element("a"), made = new Blob([asCsv()], { type: "text/csv;charset=utf-8" });
  link.href = URL.createObjectURL(made);
  link.download = "documents.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
