// The questions dialog: pairs, sets and single documents, answered by keys.

import { act, get } from "./api.js";
import { button, count, el, kbd } from "./dom.js";
import { openDialog } from "./dialog.js";
import { drawQuestion } from "./asking.js";
import { idsOf } from "./store.js";

const AHEAD = 3; // questions asked for in advance
const KINDS = { pair: "Pairs", set: "Sets", cluster: "Clusters" };

const keyOf = (q) => [q.kind, q.left, q.right, q.row, ...(q.rows ?? [])].join(" ");

/** One sitting: the questions waiting, the answers given. */
class Sitting {
  constructor(body, foot) {
    Object.assign(this, { body, foot, kind: "pair", current: null, strangers: new Set() });
    this.waiting = { pair: [], set: [], cluster: [] };
    this.asking = {};
    this.reasons = {};
    this.seen = new Set();
    this.given = []; // { question, sent }
    this.showPlaces = false;
    this.sending = false;
    this.build();
    this.next();
  }

  build() {
    const tab = (kind) =>
      button(KINDS[kind], () => this.choose(kind), {
        role: "tab",
        id: `ask-${kind}`,
        "data-kind": kind,
        "aria-controls": "question",
      });
    const tabs = Object.keys(KINDS).map(tab);
    const list = el(
      "div",
      { role: "tablist", "aria-label": "Kind of question", class: "tabs" },
      tabs,
    );
    list.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const kinds = Object.keys(KINDS);
      this.choose(kinds[(kinds.indexOf(this.kind) + by + kinds.length) % kinds.length]);
      list.querySelector(`[data-kind=${this.kind}]`).focus();
    });
    const places = el("input", { type: "checkbox", id: "show-places" });
    places.addEventListener("change", () => {
      this.showPlaces = places.checked;
      this.draw();
    });
    this.panel = el("div", {
      role: "tabpanel",
      id: "question",
      tabindex: "0",
      autofocus: true,
      "aria-labelledby": "ask-pair",
    });
    this.message = el("p", { role: "status", class: "message" });
    const line = el(
      "div",
      { class: "ask-head" },
      list,
      el("label", { class: "choice" }, places, "Show where they are"),
    );
    this.body.append(line, this.panel, this.message);
  }

  choose(kind) {
    if (this.current) this.waiting[this.kind].unshift(this.current);
    this.kind = kind;
    this.current = null;
    this.tell("");
    this.next();
  }

  async next() {
    const { kind } = this;
    this.strangers = new Set();
    this.current = this.waiting[kind].shift() ?? null;
    this.draw();
    await this.refill(kind);
    if (!this.current && this.kind === kind) {
      this.current = this.waiting[kind].shift() ?? null;
      this.draw();
    }
  }

  async refill(kind) {
    if (this.waiting[kind].length >= AHEAD - 1) return;
    this.asking[kind] ??= get("/api/questions", { kind, n: AHEAD + 2 });
    try {
      const { questions, reason } = await this.asking[kind];
      this.reasons[kind] = reason;
      for (const question of questions) {
        if (this.seen.has(keyOf(question))) continue;
        this.seen.add(keyOf(question));
        this.waiting[kind].push(question);
      }
    } catch (error) {
      this.tell(error.message);
    } finally {
      delete this.asking[kind];
    }
  }

  tell(text, { bad = true } = {}) {
    this.message.textContent = text;
    this.message.classList.toggle("bad", bad);
  }

  draw() {
    for (const tab of this.body.querySelectorAll("[role=tab]")) {
      const on = tab.dataset.kind === this.kind;
      tab.setAttribute("aria-selected", String(on));
      tab.setAttribute("tabindex", on ? "0" : "-1");
    }
    this.panel.setAttribute("aria-labelledby", `ask-${this.kind}`);
    const wait = this.asking[this.kind] ? "Asking for the next question." : "";
    const none = this.reasons[this.kind] || wait || "There is no question of this kind.";
    if (this.current) drawQuestion(this.panel, this.current, this);
    else this.panel.replaceChildren(el("p", {}, none));
    this.drawFoot();
  }

  drawFoot() {
    const answer = (title, key, run) => {
      const idle = !this.current;
      return button([title, kbd(key)], run, {
        "data-answer": key,
        "aria-disabled": idle ? "true" : null,
      });
    };
    const own = {
      pair: [
        answer("Same", "s", () => this.pair("same")),
        answer("Different", "d", () => this.pair("different")),
      ],
      set: [answer("Send", "Enter", () => this.settle())],
      cluster: [answer("None of these", "0", () => this.place(null))],
    }[this.kind];
    const undo = button(["Undo", kbd("z")], () => this.undo(), {
      "data-answer": "z",
      "aria-disabled": this.given.length ? null : "true",
    });
    const tally = el(
      "span",
      { class: "tally" },
      `${count(this.given.filter(({ sent }) => sent).length, "answer")} given`,
    );
    const focused =
      this.foot.contains(document.activeElement) && document.activeElement.dataset.answer;
    this.foot.replaceChildren(
      el("span", { class: "own" }, own),
      answer("Don’t know", "u", () => this.pass("unknown")),
      answer("Skip", "k", () => this.pass("skip")),
      undo,
      tally,
    );
    if (focused) (this.foot.querySelector(`[data-answer="${focused}"]`) ?? this.panel).focus();
  }

  pair(answer) {
    if (this.kind !== "pair" || !this.current) return;
    const [left, right] = idsOf([this.current.left, this.current.right]);
    this.send({ question: "pair", left, right, answer });
  }

  settle(answer = "settled") {
    if (this.kind !== "set" || !this.current) return;
    const strangers = answer === "settled" ? idsOf(this.strangers) : [];
    this.send({ question: "set", documents: idsOf(this.current.rows), strangers, answer });
  }

  place(cluster) {
    if (this.kind !== "cluster" || !this.current) return;
    this.send({ question: "cluster", document: idsOf([this.current.row])[0], cluster });
  }

  /** Without an answer. The journal knows this of pairs and sets; a single document is passed over. */
  pass(answer) {
    if (!this.current) return;
    if (this.kind === "pair") this.pair(answer);
    else if (this.kind === "set") this.settle(answer);
    else this.advance(false);
  }

  digit(n) {
    if (!this.current) return;
    if (this.kind === "set" && n >= 1 && n <= this.current.rows.length) {
      const row = this.current.rows[n - 1];
      if (!this.strangers.delete(row)) this.strangers.add(row);
      for (const box of this.panel.querySelectorAll("[data-stranger]")) {
        box.checked = this.strangers.has(Number(box.dataset.stranger));
      }
    }
    if (this.kind === "cluster") {
      if (n === 0) this.place(null);
      else if (this.current.clusters[n - 1] !== undefined) this.place(this.current.clusters[n - 1]);
    }
  }

  async send(answer) {
    if (this.sending) return;
    this.sending = true;
    try {
      await act({ action: "answer", ...answer });
      this.tell("");
      this.advance(true);
    } catch (error) {
      this.tell(error.message);
    } finally {
      this.sending = false;
    }
  }

  advance(sent) {
    this.given.push({ question: this.current, sent });
    this.current = null;
    this.next();
  }

  async undo() {
    const last = this.given.at(-1);
    if (!last || this.sending) return;
    this.sending = true;
    try {
      if (last.sent) await act({ action: "undo" });
      this.given.pop();
      if (this.current) this.waiting[this.kind].unshift(this.current);
      this.kind = last.question.kind;
      this.waiting[this.kind].unshift(last.question);
      this.tell("The last answer was taken back.", { bad: false });
      this.next();
    } catch (error) {
      this.tell(error.message);
    } finally {
      this.sending = false;
    }
  }
}

export function askQuestions() {
  let sitting;
  const digits = Array.from({ length: 10 }, (_, n) => [String(n), () => sitting.digit(n)]);
  return openDialog({
    id: "questions",
    title: "Questions",
    wide: true,
    keys: {
      ...Object.fromEntries(digits),
      s: () => sitting.pair("same"),
      d: () => sitting.pair("different"),
      u: () => sitting.pass("unknown"),
      k: () => sitting.pass("skip"),
      z: () => sitting.undo(),
      Enter: () => sitting.settle(),
    },
    fill: (body, foot) => (sitting = new Sitting(body, foot)),
  });
}
