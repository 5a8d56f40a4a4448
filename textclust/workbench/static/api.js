// Requests to the server, its events, and what to do while it does not answer.

import { adopt, store } from "./store.js";

const RETRY = 2000; // milliseconds between attempts to reach a lost server
let acting = 0; // actions under way: their answers bring the state
let polling = 0;

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    lose("stopped");
    throw new Error("The workbench does not answer.");
  }
  if (response.status === 401) lose("denied");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const failure = new Error(answer.error || `The request failed (${response.status}).`);
    failure.status = response.status;
    throw failure;
  }
  return answer;
}

export function get(path, query = {}, options = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return request(text ? `${path}?${text}` : path, options);
}

export const post = (path, body) =>
  request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** Send one action; the page changes when the server has acknowledged it. */
export async function act(action) {
  acting++;
  try {
    const answer = await post("/api/actions", action);
    adopt(answer.state);
    return answer.state;
  } finally {
    acting--;
  }
}

async function refresh() {
  adopt(await get("/api/state"));
}

export function listen() {
  const events = new EventSource("/api/events");
  events.addEventListener("progress", (event) => store.set({ busy: JSON.parse(event.data) }));
  events.addEventListener("state", (event) => {
    const { version } = JSON.parse(event.data);
    setTimeout(() => {
      const behind = version > store.get("state").version;
      if (behind && !acting) refresh().catch(() => {});
    }, 200);
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(listen, RETRY);
    }
    get("/api/state").catch(() => {});
  });
}

function lose(how) {
  store.set({ lost: how });
  if (polling) return;
  polling = setInterval(async () => {
    try {
      const state = await get("/api/state");
      clearInterval(polling);
      polling = 0;
      if (!store.get("collection")) location.reload();
      adopt(state, { force: true });
      store.set({ lost: null });
    } catch {
      // asked again at the next turn
    }
  }, RETRY);
}
