import assert from "node:assert/strict";
import { test } from "node:test";
import { calendarHere } from "../../test/calendars-here.ts";
import { codeFrom, codeBytes, inviteKind, makeInvite } from "../features/accounts/invite.ts";
import { makePerson, personKind, personScopes } from "../features/accounts/person.ts";
import { makeProfile, profileKind } from "../features/accounts/profile.ts";
import { makeToken, tokenBytes, tokenFrom, tokenKind } from "../features/accounts/token.ts";
import { calendarKind, entryKind } from "../features/calendars/kind.ts";
import { nothingKnown } from "../features/calendars/reading.ts";
import { eventKind, makeEvent } from "../features/events/kind.ts";
import { makeQuestion, questionKind } from "../features/events/question.ts";
import { makeSource, sourceKind } from "../features/events/source.ts";
import { makeSubscription, subscriptionKind } from "../features/events/subscription.ts";
import { kinds } from "../features/index.ts";
import { builtInCurves } from "../features/nags/curve.ts";
import { makeNag, nagKind } from "../features/nags/kind.ts";
import { makePage, pageKind } from "../features/nags/page.ts";
import { planChores, choreKind } from "../features/nodes/chore.ts";
import { nodeController } from "../features/nodes/controller.ts";
import { nodeKind, systemOwner } from "../features/nodes/node.ts";
import { makePause, pauseKind, type PauseScope } from "../features/nodes/pause.ts";
import { counterKind, makeCounter } from "../features/notifications/counter.ts";
import { expiryKind, expiryOf } from "../features/notifications/expiry.ts";
import { makeNotification, notificationKind } from "../features/notifications/kind.ts";
import {
  makeWebhook,
  secretBytes,
  secretFrom,
  webhookKind,
} from "../features/notifications/webhook.ts";
import { makeSchedule } from "../features/schedules/draft.ts";
import { scheduleKind } from "../features/schedules/kind.ts";
import { makeTask, taskKind } from "../features/tasks/kind.ts";
import { permitKind, permitOf } from "../features/tasks/rate.ts";
import { makeWorkspace } from "../features/workspaces/draft.ts";
import { workspaceKind } from "../features/workspaces/kind.ts";
import type { Kind } from "../kernel/kind.ts";
import type { Draft } from "../kernel/unit.ts";
import { nodeFixture } from "../testing/node-fixture.ts";

const now = 1_800_000_000_000;
const sent = { atText: "now", target: "inbox:mina", origin: null, targetReason: "inbox" } as const;

const scopes: readonly PauseScope[] = [
  { all: true },
  { kind: "task" },
  { owner: "mina" },
  { channel: "ntfy" },
];
const notifications = [
  makeNotification({ ...sent, message: "stand up", at: now, expiresAt: now + 1 }),
  makeNotification({
    ...sent,
    message: "task t1: done",
    at: now,
    type: "notice",
    wakesParent: true,
    final: true,
    thread: { of: "n1" },
    seedType: "thread_reply",
    beside: { from: { other: ["program", 1, null] } },
    change: { kind: "task", id: "t1", state: "done", seq: 1, at: now },
  }),
];
const abouts = [{ page: "p1" }, { text: "water the plants" }] as const;

const task = makeTask({
  name: "gen-docs",
  input: { event: "evt-1" },
  at: now,
  target: "inbox:mina",
  origin: null,
  timeoutMs: 60_000,
  retry: { attempts: 2, firstMs: 1_000, factor: 2, maxMs: 60_000 },
  event: {
    id: "evt-1",
    handler: "gen-docs",
    name: "evt-1",
    type: "jira.ticket.assigned",
    hops: 0,
    repo: null,
    payload: { key: "OPS-7" },
    taskType: "jira.ticket.assigned",
    thread: null,
    channels: [],
  },
});
const skipped = makeTask(task.body, { ends: { state: "skipped", reason: "overlap", at: now } });
const event = makeEvent(
  {
    name: "evt-1",
    type: "jira.ticket.assigned",
    source: "jira",
    repo: null,
    payload: { key: "OPS-7" },
    at: now,
    origin: null,
    hops: 0,
  },
  { owner: "mina", home: "mina", now },
);
const schedule = makeSchedule(
  {
    name: "backup",
    cadence: { type: "interval", everyMs: 3_600_000, anchor: now },
    whenText: "every hour",
    run: { command: ["./backup.sh"] },
    notify: "always",
    target: "inbox:mina",
    origin: null,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: 60_000,
    notifyAfterFailures: 1,
    disableAfterFailures: 5,
    budget: { runsPerDay: 3 },
  },
  { owner: "mina", now, limit: 50 },
);

/** What each maker gives, with every field that is optional in one of them. */
const made: ReadonlyMap<Kind, readonly Draft[]> = new Map<Kind, readonly Draft[]>([
  [pauseKind, scopes.map((scope) => makePause({ scope, reason: null, until: now + 1 }, now))],
  [
    inviteKind,
    [makeInvite(codeFrom(new Uint8Array(codeBytes)), { owner: "mina", expiresAt: now })],
  ],
  [
    personKind,
    [
      makePerson({
        channel: "telegram",
        sender: "42",
        name: "Mina",
        owner: "mina",
        principal: "telegram:42",
        scopes: personScopes,
      }),
    ],
  ],
  [
    profileKind,
    [
      makeProfile({}),
      makeProfile({
        timezone: "Asia/Seoul",
        language: "ko",
        home: "ntfy:mina",
        quiet: { from: "22:00", to: "07:00" },
      }),
      makeProfile({ home: null, quiet: null }),
    ],
  ],
  [
    tokenKind,
    [
      makeToken(tokenFrom(new Uint8Array(tokenBytes)), {
        name: "laptop",
        owner: "mina",
        principal: "mina",
        scopes: ["read", "write"],
        expiresAt: now,
      }),
    ],
  ],
  [notificationKind, notifications],
  [expiryKind, notifications.flatMap(expiryOf)],
  [
    webhookKind,
    [makeWebhook({ url: "https://example.org/", secret: secretFrom(new Uint8Array(secretBytes)) })],
  ],
  [counterKind, [makeCounter("task", "2026-02-07")]],
  [permitKind, [permitOf({ name: "gen-pr", max: 10, windowMs: 60_000 }, now)]],
  [pageKind, [makePage("mina", { pageId: "p1", title: "Plants", body: "" })]],
  [
    nagKind,
    Object.entries(builtInCurves).flatMap(([curveName, curve]) =>
      abouts.map((about) =>
        makeNag(
          { ...sent, about, curveName, curve, at: now, zone: "Asia/Seoul", quotaSlot: 1 },
          { owner: "mina", quiet: null },
        ),
      ),
    ),
  ],
  [
    workspaceKind,
    [
      makeWorkspace(
        {
          owner: "mina",
          name: "dev",
          imageRef: "node:24",
          machine: { memoryMb: 512, cpus: 0.5, pids: 256 },
          desired: "RUNNING",
          standbyTtlSeconds: 300,
          archiveTtlSeconds: 86_400,
          wakeAheadSeconds: 120,
          target: "inbox:mina",
          origin: null,
        },
        "here",
        { now, limits: { perOwner: 1, inAll: 1 } },
      ),
    ],
  ],
  [taskKind, [task, skipped]],
  [scheduleKind, [schedule]],
  [eventKind, [event]],
  [questionKind, [question()]],
  [sourceKind, [makeSource({ name: "github", everyMs: 60_000 }, "mina")]],
  [calendarKind, [calendarHere(false), calendarHere(true)]],
  [
    entryKind,
    [
      {
        kind: "calendar_entry",
        body: { record: "n", recordKind: "notification" },
        outcome: nothingKnown,
        state: "active",
      },
    ],
  ],
  [
    subscriptionKind,
    [makeSubscription({ webhook: "https://a.example/", kinds: ["event"], states: ["failed"] })],
  ],
]);

function question(): Draft {
  const { body } = task;
  if (body.event === undefined) return assert.fail();
  const asking = { id: "task-1", by: "mina", body: { ...body, event: body.event } };
  return makeQuestion(asking, { text: "Which?", choices: ["a"], sessionId: null }, now);
}

for (const [kind, drafts] of made) {
  test(`every ${kind.name} that its maker makes fits its schemas`, () => {
    assert.notEqual(drafts.length, 0);
    for (const { body, outcome } of drafts) {
      assert.deepEqual(kind.body?.parse(body), body);
      if (outcome !== undefined) assert.deepEqual(kind.outcome?.parse(outcome), outcome);
    }
  });
}

test("the nodes and chores of a system fit their schemas", async () => {
  const at = nodeFixture();
  const self = { name: "n1", version: "1", host: "h", pid: 1 };
  await nodeController(at.ledger, at.ports, {
    ...at.options,
    self,
    silenceMs: 30_000,
    isGone: () => false,
  }).start();
  await planChores(at.ledger, [{ name: "idle", everyMs: 1, run: () => Promise.resolve("") }]);
  const own: readonly Kind[] = [nodeKind, choreKind];
  for (const kind of own) {
    const { records } = await at.ledger.of(systemOwner, "test").list({ kind });
    assert.deepEqual(
      records.map(({ body }) => kind.body?.parse(body)),
      records.map(({ body }) => body),
    );
    assert.equal(records.length, 1);
  }
});

test("every kind that has schemas is made here", () => {
  const schemed = kinds.filter(({ body }) => body !== undefined).map(({ name }) => name);
  const tried = new Set([...made.keys(), nodeKind, choreKind].map(({ name }) => name));
  assert.deepEqual(
    schemed.filter((name) => !tried.has(name)),
    [],
  );
});
