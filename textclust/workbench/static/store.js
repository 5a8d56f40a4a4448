// One shared state; whoever shows a part of it subscribes to that part.

const values = {
  collection: null, // what does not change
  state: null, // the last state that the server acknowledged
  selected: new Set(), // rows
  picks: new Set(), // numbers of clusters chosen as a whole
  scope: { kind: "all" }, // what the list shows: all, a cluster, or rows
  open: null, // the row of the open document
  tab: "list", // which panel is shown at the right
  order: "collection",
  search: { text: "", regex: false },
  matches: null, // Set of rows that the search finds, or null
  listed: [], // rows of the list, in its order
  preview: null,
  busy: null,
  lost: null, // null, "stopped" or "denied"
  theme: "light",
  lasso: false,
};
const subscribers = [];

export const store = {
  get: (key) => values[key],

  set(patch) {
    const changed = Object.keys(patch).filter((key) => values[key] !== patch[key]);
    Object.assign(values, patch);
    for (const { keys, run } of [...subscribers]) {
      if (keys.some((key) => changed.includes(key))) run(changed);
    }
  },

  on(keys, run) {
    subscribers.push({ keys, run });
  },
};

const typed = (state) => ({
  ...state,
  labels: Int32Array.from(state.labels),
  seconds: Int32Array.from(state.seconds),
  scores: Float32Array.from(state.scores),
  x: Float32Array.from(state.x),
  y: Float32Array.from(state.y),
  byNumber: new Map(state.clusters.map((cluster) => [cluster.number, cluster])),
  isSeed: new Set(state.seeds),
});

/** Take over what the server says, unless something newer is known. */
export function adopt(state, { force = false } = {}) {
  const known = store.get("state");
  if (known && !force && state.version < known.version) return;
  const next = typed(state);
  const picks = new Set([...store.get("picks")].filter((c) => c === 0 || next.byNumber.has(c)));
  const patch = { state: next, picks };
  const scope = store.get("scope");
  if (scope.kind === "cluster" && !next.byNumber.has(scope.number)) patch.scope = { kind: "all" };
  if (!known || known.version !== state.version) patch.preview = null;
  if (!known || force) patch.busy = state.busy;
  store.set(patch);
}

export const clusterOf = (number) => store.get("state")?.byNumber.get(number) ?? null;

export const titleOf = (row) => {
  const { titles, ids } = store.get("collection");
  return titles[row] || ids[row];
};

export const idsOf = (rows) => Array.from(rows, (row) => store.get("collection").ids[row]);

export function membersOf(...numbers) {
  const { labels } = store.get("state");
  const rows = [];
  for (let row = 0; row < labels.length; row++) if (numbers.includes(labels[row])) rows.push(row);
  return rows;
}
