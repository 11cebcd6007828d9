import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { blockSize, labelOf, makeCounter } from "../notifications/counter.ts";
import { isThread, slackThread, telegramThread } from "../notifications/thread.ts";
import { slotKey } from "../schedules/slot.ts";
import { fillTemplate } from "../tasks/run-spec.ts";
import { route } from "./handler.ts";
import type { Health } from "./health.ts";

const handler = {
  name: "gen-pr",
  subscribes: ["a.b"],
  timeoutMs: 1,
  retries: 0,
  target: null,
  channels: [],
  repo: null,
};

describe("routing an event", () => {
  const cases: [
    type: string,
    hops: number,
    priority: "high" | "normal" | "low",
    health: Health,
    expected: string,
  ][] = [
    ["a.b", 0, "normal", "green", "handler"],
    ["a.b", 8, "low", "green", "handler"],
    ["a.b", 9, "high", "green", "discard"],
    ["a.b.c", 0, "normal", "green", "discard"],
    ["a", 0, "normal", "red", "discard"],
    ["a.b", 0, "high", "yellow", "handler"],
    ["a.b", 0, "normal", "yellow", "wait"],
    ["a.b", 0, "high", "red", "wait"],
  ];
  for (const [type, hops, priority, health, expected] of cases) {
    test(`${type} after ${hops}, ${priority}, on ${health}: ${expected}`, () => {
      const body = { name: "e", type, source: "s", repo: null, payload: {}, at: 0, hops };
      const event = { body: { ...body, origin: null }, priority };
      assert.deepEqual(Object.keys(route(event, [handler], health)), [expected]);
    });
  }
});

describe("ids of a day", () => {
  test("B7-19: ids after 999 have four digits and stay unique", () => {
    assert.equal(labelOf("task", "2026-02-07", 1), "task-20260207-001");
    assert.equal(labelOf("msg", "2026-02-07", 1_000), "msg-20260207-1000");
    const all = Array.from({ length: 2_000 }, (_, index) => labelOf("task", "2026-02-07", index));
    assert.equal(new Set(all).size, 2_000);
  });

  test("a counter starts at 1 and gives out blocks", () => {
    assert.equal(makeCounter("task", "2026-02-07").body.next, 1);
    assert.ok(blockSize > 0);
  });
});

test("B7-16: the key of a slot has the id of its schedule and its time", () => {
  const [ten, twenty] = [10, 20].map((minute) => Date.UTC(2026, 1, 7, 9, minute));
  const keys = ["gen-a's", "gen-b's"].flatMap((id) =>
    [ten, twenty].map((at) => slotKey(id, at ?? 0).name),
  );
  assert.equal(new Set(keys).size, 4);
});

describe("a template", () => {
  const said = { type: "a.b", payload: { n: 42, deep: { x: "y" }, list: [1] }, repo: null };
  const cases: [text: string, expected: string][] = [
    ["PR {{payload.n}} of {{ type }}", "PR 42 of a.b"],
    ["{{payload.deep.x}}{{payload.list}}", "y[1]"],
    ["{{payload.none}}{{repo}}{{constructor}}{{payload.__proto__}}", ""],
    ["{type} {{}} $1 {{a b}}", "{type} {{}} $1 {{a b}}"],
  ];
  for (const [text, expected] of cases) {
    test(text, () => assert.equal(fillTemplate(text, said), expected));
  }

  test("inserts values unchanged, without expanding them again", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(fillTemplate("<{{payload}}>", { payload: text }), `<${text}>`);
      }),
    );
    assert.equal(fillTemplate("{{a}}", { a: "{{b}}$&", b: "secret" }), "{{b}}$&");
  });
});

describe("threads", () => {
  test("are recognised by their target", () => {
    const threads = ["slack:C1:1700000000.000100", "telegram:-100123:7"];
    const none = ["slack:C1", "telegram:5", "inbox:mina", "webhook:a:b", "slack:nobody:1"];
    assert.deepEqual([...threads, ...none].map(isThread), [true, true, ...none.map(() => false)]);
  });

  test("start with a message in Slack, or continue the thread of one", () => {
    assert.equal(
      slackThread("U1", { channel: "D9", messages: ["1.000001", "1.000002"] }),
      "D9:1.000001",
    );
    assert.equal(
      slackThread("C1:2.000000", { channel: "C1", thread: "2.000000", messages: ["3"] }),
      "C1:2.000000",
    );
    assert.equal(slackThread("C1", { nothing: true }), undefined);
    assert.equal(slackThread("C1", null), undefined);
  });

  test("are the chat or topic in Telegram, at its current id", () => {
    assert.equal(telegramThread("5:7", { chat: -1005, messages: [1] }), "-1005:7");
    assert.equal(telegramThread("5", { chat: 5, messages: [1] }), "5");
    assert.equal(telegramThread("5", { digest: "x" }), undefined);
  });
});
