import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkEvent, eventId, nameKeptMs, makeEvent, priorityOf, type EventKind } from "./kind.ts";

const body: EventKind["body"] = {
  name: "evt-github-12345678-2026-02-07T10:00:00Z",
  type: "github.pr.review_requested",
  source: "github",
  repo: "querypie/frontend",
  payload: {},
  at: 1_000,
  origin: null,
  hops: 0,
};
const making = { owner: "mina", home: "mina", now: 2_000 };

describe("makeEvent", () => {
  test("an id is the name for the home owner, and has a hash for others", () => {
    assert.equal(makeEvent(body, making).id, body.name);
    const other = makeEvent(body, { ...making, owner: "joon" }).id ?? "";
    assert.match(other, /^evt-github-12345678-2026-02-07T10:00:00Z~[0-9a-f]{8}$/);
    assert.notEqual(other, eventId("sora", body.name, "mina"));
  });

  test("a name is kept for 30 days, also of a late event", () => {
    const now = 90 * 86_400_000;
    const { key } = makeEvent(body, { ...making, now });
    const changed = makeEvent({ ...body, payload: { x: 1 }, at: 5 }, { ...making, now });
    assert.deepEqual(key, changed.key);
    assert.equal(key?.until, now + nameKeptMs);
  });

  const refused: [why: string, wrong: Partial<EventKind["body"]>][] = [
    ["a path out of its folder", { name: "../../etc/passwd" }],
    ["a hidden file", { name: ".tmp-evt" }],
    ["two dots", { name: "evt..1" }],
    ["a line break", { name: "evt\n1" }],
    ["no name", { name: "" }],
    ["the name of a task", { name: "task-20260207-001" }],
    ["the name of a message", { name: "msg-20260207-001" }],
    ["a long name", { name: "e".repeat(200) }],
    ["a type with a space", { type: "a b" }],
    ["a type in capitals", { type: "GitHub" }],
    ["no source", { source: "" }],
    ["an empty repository", { repo: "" }],
    ["an origin that is not a target", { origin: "somewhere" }],
    ["a fraction of a hop", { hops: 0.5 }],
    ["a list for a payload", { payload: [] as unknown as EventKind["body"]["payload"] }],
  ];
  for (const [why, wrong] of refused) {
    test(`${why} is refused with a reason`, () => {
      assert.throws(() => checkEvent({ ...body, ...wrong }), { code: "invalid" });
    });
  }

  test("a payload over 128 KiB is refused", () => {
    const payload = { text: "x".repeat(128 * 1024) };
    assert.throws(() => makeEvent({ ...body, payload }, making), { code: "too_large" });
  });

  test("B7-19: no accepted name is a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        try {
          checkEvent({ ...body, name });
        } catch {
          return;
        }
        assert.doesNotMatch(name, /[/\\\0\s]|^\.|\.\./);
      }),
    );
  });
});

test("types have their listed priorities", () => {
  const types = ["github.pr.review_requested", "github.pr.comment", "github.notification.ci"];
  const more = ["github.issue.assigned", "slack.thread.reply", "my.own", "constructor"];
  assert.deepEqual([...types, ...more].map(priorityOf), [
    "normal",
    "low",
    "low",
    "normal",
    "high",
    "normal",
    "normal",
  ]);
});
