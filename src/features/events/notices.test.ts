import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { healthDefault, healthOf, type Condition } from "./health.ts";
import { noticesOf, readSentNotices, type Overview, type SentNotices } from "./notices.ts";

const now = 10 * 3_600_000;
const minuteMs = 60_000;
const nothing: SentNotices = { troubles: [], machines: {} };
const calm: Overview = { now, tasks: [], timeouts: 0, pending: [], isMore: false };

type Task = Overview["tasks"][number];
type State = Task["state"];

/** Tasks of a handler, the oldest first. */
function tasksOf(handler: string, ...states: readonly State[]): readonly Task[] {
  return states.map((state, index) => ({
    state,
    endedAt: index,
    body: { event: { handler } } as Task["body"],
    outcome: { reason: `reason ${index}` } as Task["outcome"],
  }));
}

function eventsAgo(...minutes: readonly number[]): Overview["pending"] {
  return minutes.map((each) => ({
    createdAt: now - each * minuteMs,
    body: { type: "github.pr.comment" } as Overview["pending"][number]["body"],
    outcome: { handler: null, task: null, reason: "waits" },
  }));
}

function textsOf(overview: Overview, before = nothing): readonly string[] {
  return noticesOf(overview, before).fresh.map((notice) => notice.text("en"));
}

describe("a handler that fails", () => {
  const cases: readonly [string, readonly State[], string | undefined][] = [
    ["twice is not reported", ["failed", "failed"], undefined],
    [
      "three times in a row is reported",
      ["completed", "failed", "interrupted", "failed"],
      "3 times",
    ],
    [
      "with a success between is not reported",
      ["failed", "failed", "completed", "failed"],
      undefined,
    ],
    ["with a skipped task between is not reported", ["failed", "skipped", "failed"], undefined],
    ["is not excused by a cancel", ["failed", "failed", "cancelled", "failed"], "3 times"],
  ];
  for (const [sentence, states, words] of cases) {
    test(sentence, () => {
      const tasks = tasksOf("gen-pr", ...states);
      const [text] = textsOf({ ...calm, tasks });
      assert.equal(text?.includes(words ?? "") ?? false, words !== undefined);
    });
  }

  test("is counted by itself in the order of ends, and reported with its last reason", () => {
    const mixed = [...tasksOf("gen-a", "failed", "failed"), ...tasksOf("gen-b", "failed")];
    assert.deepEqual(textsOf({ ...calm, tasks: mixed }), []);
    const tasks = tasksOf("gen-a", "failed", "failed", "failed").toReversed();
    assert.deepEqual(textsOf({ ...calm, tasks }), [`⚠️ "gen-a" failed 3 times in a row: reason 2`]);
  });
});

test("five timeouts are reported, and again only after they were over", () => {
  let before = nothing;
  const sent = [4, 5, 6, 3, 5, 2, 4, 5].map((timeouts) => {
    const { fresh, sent: after } = noticesOf({ ...calm, timeouts }, before);
    before = after;
    return fresh.length;
  });
  assert.deepEqual(sent, [0, 1, 0, 0, 0, 0, 0, 1]);
});

test("events that wait for 30 minutes are reported together, with the oldest", () => {
  assert.deepEqual(textsOf({ ...calm, pending: eventsAgo(29) }), []);
  assert.deepEqual(textsOf({ ...calm, pending: eventsAgo(45, 30, 2), isMore: true }), [
    "⚠️ Events that wait for a handler: 2+. The oldest, github.pr.comment, has waited 45 minutes: waits",
  ]);
});

describe("sent notices", () => {
  test("are not repeated until their trouble is over (B7.18)", () => {
    const bad = {
      ...calm,
      pending: eventsAgo(40),
      tasks: tasksOf("a", "failed", "failed", "failed"),
    };
    const first = noticesOf(bad, nothing);
    assert.equal(first.fresh.length, 2);
    const kept = readSentNotices(JSON.parse(JSON.stringify(first.sent)));
    assert.deepEqual(textsOf(bad, kept), []);
    const calmed = noticesOf(calm, kept);
    assert.deepEqual([calmed.fresh, calmed.sent], [[], nothing]);
    assert.equal(textsOf(bad, calmed.sent).length, 2);
  });

  test("report every change of a machine's health, and keep that of other machines", () => {
    const of = (cpu: number): Condition =>
      healthOf({ cpu, memory: 1, disk: 1, at: now }, healthDefault, now);
    let before: SentNotices = { troubles: [], machines: { other: "red" } };
    const sent = [10, 70, 75, 95, 10].flatMap((cpu) => {
      const seen = { ...calm, machine: { host: "mac", condition: of(cpu) } };
      const { fresh, sent: after } = noticesOf(seen, before);
      before = after;
      return fresh.map((each) => each.text("ko"));
    });
    assert.deepEqual(sent, [
      "⚠️ mac의 부하가 높아 긴급한 처리기만 시작합니다: cpu 70 % > 60 %",
      "⛔ mac에 과부하가 걸려 처리기를 시작하지 않습니다: cpu 95 % > 80 %",
      "✅ mac의 상태가 정상으로 돌아와 모든 처리기를 시작합니다.",
    ]);
    assert.deepEqual(before.machines, { other: "red" });
  });

  test("are empty when the stored form cannot be read", () => {
    for (const kept of [undefined, null, 7, { troubles: 3 }]) {
      assert.deepEqual(readSentNotices(kept), nothing);
    }
  });
});
