import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ownerSlot } from "../../kernel/holds.ts";
import { tokenLimit } from "../accounts/token.ts";
import { choreHold, nodeHold, pauseHold } from "../nodes/holds.ts";
import { nameHold, scheduleSlot, queuedHold, runHold } from "../schedules/holds.ts";
import { runSlot } from "../tasks/holds.ts";
import { collapseHold, guardOf, taskHolds } from "./holds.ts";
import type { NotificationKind } from "./kind.ts";
import { webhookLimit } from "./webhook.ts";

const zone = "Asia/Seoul";
const body: NotificationKind["body"] = {
  message: "hi",
  at: Date.parse("2026-11-16T08:00:00+09:00"),
  atText: "8am",
  target: "telegram:42",
  origin: null,
  relatedTaskId: "t1",
};
const dayHold = (change: Partial<typeof body>, of = { owner: "mina", zone }): unknown =>
  taskHolds({ ...of, body: { ...body, ...change } })[1];

describe("the holds of a notification about a task", () => {
  test("are one of three slots and the day", () => {
    const [places, day] = taskHolds({ owner: "mina", zone, body });
    assert.ok(typeof places === "object");
    assert.equal(places.oneOf.length, 3);
    assert.equal(new Set(places.oneOf).size, 3);
    assert.deepEqual([...places.oneOf, day].map(guardOf), ["task", "task", "task", "day"]);
  });
  test("differ for another task or another owner", () => {
    const places = [
      taskHolds({ owner: "mina", zone, body })[0],
      taskHolds({ owner: "jun", zone, body })[0],
      taskHolds({ owner: "mina", zone, body: { ...body, relatedTaskId: "t2" } })[0],
    ];
    assert.equal(new Set(places.map((each) => JSON.stringify(each))).size, 3);
  });
  test("are absent without a task", () => {
    const { relatedTaskId: _, ...plain } = body;
    assert.deepEqual(taskHolds({ owner: "mina", zone, body: plain }), []);
  });
  test("have the day of the time, and the type reminder by default", () => {
    assert.equal(dayHold({}), dayHold({ at: body.at + 3_600_000, type: "reminder" }));
  });
  test("differ by day, type, task and owner", () => {
    const others = [
      dayHold({ at: body.at + 86_400_000 }),
      dayHold({ type: "deadline_alert" }),
      dayHold({ relatedTaskId: "t2" }),
      dayHold({}, { owner: "jun", zone }),
    ];
    assert.equal(new Set([dayHold({}), ...others]).size, 5);
  });
  test("are short and distinct for any words", () => {
    const word = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(word, word, word, word, (owner, task, owner2, task2) => {
        const holds = (who: string, what: string) =>
          taskHolds({ owner: who, zone, body: { ...body, relatedTaskId: what } });
        const names = JSON.stringify(holds(owner, task));
        assert.ok(names.length < 400);
        const isSame = owner === owner2 && task === task2;
        assert.equal(names === JSON.stringify(holds(owner2, task2)), isSame);
      }),
    );
  });
});

describe("a collapse key", () => {
  test("is one hold per owner, target and key", () => {
    const name = (owner: string, change: Partial<typeof body>) =>
      collapseHold(owner, { ...body, collapseKey: "build", ...change });
    const names = [
      name("mina", {}),
      name("jun", {}),
      name("mina", { target: "telegram:43" }),
      name("mina", { collapseKey: "deploy" }),
    ];
    assert.equal(new Set(names).size, 4);
    assert.deepEqual(names.map(guardOf), ["collapse", "collapse", "collapse", "collapse"]);
    assert.equal(name("mina", { message: "other" }), names[0]);
  });
  test("has no hold if it is absent", () => {
    assert.equal(collapseHold("mina", body), undefined);
  });
});

test("a hold of another rule is not a task's hold", () => {
  for (const name of ["run:7", "", undefined, 7]) assert.equal(guardOf(name), undefined);
});

test("the names of holds are those in existing books", () => {
  const said = { ...body, target: "inbox:mina", collapseKey: "build" };
  const held = [
    ...taskHolds({ owner: "mina", zone, body: said }),
    collapseHold("mina", said),
    ownerSlot(webhookLimit, "mina"),
    ownerSlot(tokenLimit, "mina"),
    scheduleSlot("mina", 2),
    nameHold("mina", "Brief"),
    runHold("7"),
    queuedHold("7"),
    runSlot("brief", 2),
    pauseHold("owner mina"),
    nodeHold("n1"),
    choreHold("forget-old"),
  ];
  const ends = held.map((each) =>
    typeof each === "object" ? [each.oneOf[0], each.oneOf.length] : each,
  );
  assert.deepEqual(ends, [
    ["task:9333068e2384daa9daa12c9acfc2de25ebb53d22#1", 3],
    "task-day:8be849761e9032449a3f23f8819870aca9f6c2dd",
    "collapse:d48a738e7ec5de8178d352fa549e71fca99fc16d",
    ["webhooks-of:966d2f590365024d459931c134f7b24b6bbef715#1", 50],
    ["tokens-of:966d2f590365024d459931c134f7b24b6bbef715#1", 100],
    ["schedule:966d2f590365024d459931c134f7b24b6bbef715#1", 2],
    "schedule-name:10f726c99afdd9f1df5e82f441e58554f23ae852",
    "run:7",
    "queued:7",
    ["running:brief#1", 2],
    "pause:owner mina",
    "node:n1",
    "chore:forget-old",
  ]);
  const prefixes = ends.map((each) => String(each).split(":")[0]);
  assert.equal(new Set(prefixes).size, held.length);
});
