// Everything is put together.

let waiting = 0;

function search(box) {
  clearTimeout(waiting);
  readSearch(box);
  find();
  showRows();
  light();
}

for (const box of boxes) {
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => search(box), 80);
  });
  box.form.addEventListener("submit", (event) => { event.preventDefault(); search(box); });
  box.form.hidden = false;
}
only.addEventListener("change", () => search(boxes[0]));
$("save").addEventListener("click", save);
$("tools").hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && opened) closePanel();
});
document.querySelector('a[href="#making"]').addEventListener("click", () => { $("making").open = true; });

boxes[0].value = new URLSearchParams(location.hash.slice(1)).get("q") || "";
sortable($("by-score"), "scores");
if ($("by-stability")) sortable($("by-stability"), "stability");
if ($("shading")) shadable($("shading"));
followPointer();
followKeys();
followLegend();
followRows();
search(boxes[0]);
