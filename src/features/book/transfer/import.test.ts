import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture, installed, worker } from "../../../../test/book-fixture.ts";
import {
  adminOf,
  fileOf,
  importOf,
  recordsOf,
  withLine,
  type Imported,
} from "../../../../test/moved-book.ts";
import { runsThatTalked } from "../../../../test/runs-that-talked.ts";
import { happening, questioned } from "../../../../test/when-records.ts";
import { welcome } from "../../../app/daemon/welcome.ts";
import { callOperation } from "../../../kernel/call.ts";
import { fileKey } from "../../../kernel/files.ts";
import { is, type Kind } from "../../../kernel/kind.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import type { Shape } from "../../../kernel/shape.ts";
import type { Draft } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { eventTask } from "../../events/event-task.ts";
import { makeEvent } from "../../events/kind.ts";
import { operations } from "../../index.ts";
import { nagKind } from "../../nags/kind.ts";
import { makeNotification, notificationKind } from "../../notifications/kind.ts";
import { makeMark } from "../../notifications/mark.ts";
import { scheduleKind } from "../../schedules/kind.ts";
import { slotKey } from "../../schedules/slot.ts";
import { makeTask, taskKind } from "../../tasks/kind.ts";

const at = 5;
const happened = {
  name: "evt-1",
  type: "jira.ticket.assigned",
  source: "jira",
  repo: null,
  payload: {},
  at,
  origin: null,
  hops: 0,
};
const slot = {
  schedule: "s",
  name: "tidy",
  at,
  because: "cadence",
  notify: "always",
  rerun: false,
} as const;
const run = {
  name: "command",
  input: { command: ["ls"] },
  at,
  target: "stdout:a",
  origin: null,
  timeoutMs: 9,
};

type Name = keyof typeof operations;

/** Asks as Mina, who may do everything. */
async function ask(at: BookFixture, name: Name, input: object): Promise<string> {
  const context = adminOf(at);
  const { output } = await callOperation(context, operations[name], input, context);
  return (output as { readonly id?: string }).id ?? "";
}

async function filled(): Promise<BookFixture> {
  const at = bookFixture();
  const context = adminOf(at);
  await ask(at, "setProfile", { quiet: "22:00-07:00" });
  const stale = await ask(at, "remind", { message: "old", at: "+1m", target: "stdout:a" });
  await ask(at, "cancel", { id: stale, reason: "enough" });
  const about = { target: "stdout:a", related_task_id: "task_9", type: "reminder" };
  await ask(at, "remind", { message: "stand-up", at: "+1h", key: "k", ...about });
  await ask(at, "remind", { message: "retro", at: "+1d", collapse_key: "c", target: "stdout:a" });
  await ask(at, "remind", {
    message: "read me",
    at: "+1h",
    expires_at: "+2h",
    target: "inbox:mina",
  });
  await ask(at, "nag", { message: "pay rent", curve: "hourly" });
  await ask(at, "putPage", { id: "trip", title: "Trip" });
  await ask(at, "nag", { page: "trip", at: "+2h" });
  await ask(at, "createSchedule", {
    when: "every day 9am",
    name: "tidy",
    run: { command: ["ls"] },
  });
  await ask(at, "runScheduleNow", { id: "tidy" });
  await ask(at, "createSchedule", {
    when: "every 2h",
    name: "call",
    run: { http: "https://a.example/" },
  });
  await runsThatTalked(context);
  await happening(context, { name: "evt-1", task: "task-20261116-001" });
  await questioned(context, { name: "evt-2", task: "task-20261116-002" });
  return at;
}

async function allIn(at: BookFixture): Promise<readonly AnyRecord[]> {
  return (await at.ledger.of("mina", "x").list({ limit: 500 })).records;
}

/** What a move must not change. The body of an http schedule has a secret of its own in each book. */
function essence({
  kind,
  id,
  key,
  parent,
  state,
  priority,
  queue,
  lane,
  wakeAt,
  body,
}: AnyRecord): object {
  const { imported: _, createdBy: __, run, ...rest } = body as Record<string, unknown>;
  const { secret: ___, ...work } = (run ?? {}) as Record<string, unknown>;
  return {
    kind,
    id,
    key,
    parent,
    state,
    priority,
    queue,
    lane,
    wakeAt,
    body: { ...rest, run: work },
  };
}

const rejected = async (
  imported: Promise<Imported>,
  code: Parameters<typeof hasCode>[1],
  message: RegExp,
) =>
  assert.rejects(imported, (error) => {
    assert.ok(hasCode(error, code), String(error));
    assert.match(error.message, message);
    return true;
  });

/** The books of these tests make the same ids: the file gets others. */
function withOtherIds(lines: readonly string[]): readonly string[] {
  return recordsOf(lines).reduce<readonly string[]>(
    (all, { id }, index) => all.map((line) => line.replaceAll(id, `other-${index}`)),
    lines,
  );
}

describe("an import", () => {
  test("makes the same records again, live ones with their time and ended ones as ended", async () => {
    const from = await filled();
    const to = bookFixture();
    const lines = await fileOf(adminOf(from));
    const { created, existing, problems, kinds } = await importOf(adminOf(to), lines);
    assert.deepEqual([created, existing, problems], [lines.length - 2, 0, []]);
    assert.equal(Object.keys(kinds).length, 9);
    const [before, after] = [await allIn(from), await allIn(to)];
    assert.deepEqual(after.map(essence), before.map(essence));
    const outcomes = (all: readonly AnyRecord[]) =>
      all.map(({ outcome, endedAt }) => [outcome, endedAt === null]);
    assert.deepEqual(outcomes(after), outcomes(before));
    const { changes } = await to.ledger.of("mina", "x").changes({ limit: 500 });
    assert.ok(changes.every(({ what }) => what === "appended"));
    assert.match(
      changes[0]?.note ?? "",
      /^imported: by mina-at-cli, created at 2026-11-15T23:00:00/,
    );
  });

  test("of what it exports is the same file again, but for secrets", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const [second, third] = [bookFixture(), bookFixture()];
    await importOf(adminOf(second), lines);
    const again = await fileOf(adminOf(second));
    await importOf(adminOf(third), again);
    const last = await fileOf(adminOf(third));
    assert.deepEqual(recordsOf(last), recordsOf(again));
    const bodies = (file: readonly string[]) =>
      recordsOf(file).filter(({ kind }) => kind !== "notification");
    const plain = (file: readonly string[]) =>
      bodies(file).map(({ id, state, body, outcome }) => ({ id, state, body, outcome }));
    assert.deepEqual(plain(again), plain(lines));
  });

  test("changes nothing when it is repeated, whatever became of the records meanwhile", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const to = bookFixture();
    await importOf(adminOf(to), lines);
    const live = (await allIn(to)).filter(
      ({ endedAt, kind }) => endedAt === null && kind === "nag",
    );
    const [first, second] = live.map(({ id }) => id);
    await ask(to, "pauseNag", { id: first });
    await ask(to, "doneNag", { id: second });
    const before = await allIn(to);
    const again = await importOf(adminOf(to), lines);
    assert.deepEqual(
      [again.created, again.existing, again.started, again.known],
      [0, lines.length - 2, 0, []],
    );
    assert.deepEqual(await allIn(to), before);
    assert.deepEqual((await importOf(adminOf(to), lines, { dry_run: true })).created, 0);
  });

  test("of the book that was exported changes nothing", async () => {
    const at = await filled();
    const before = await allIn(at);
    const { created, existing } = await importOf(adminOf(at), await fileOf(adminOf(at)));
    assert.deepEqual([created, existing], [0, recordsOf(await fileOf(adminOf(at))).length]);
    assert.deepEqual(await allIn(at), before);
  });

  test("as a dry run shows what would be created, what is here and what is refused", async () => {
    const from = await filled();
    const to = bookFixture();
    const lines = await fileOf(adminOf(from));
    const wrong = withLine(lines, 3, (line) => ({ ...line, state: "sent" }));
    const result = await importOf(adminOf(to), wrong, { dry_run: true });
    assert.deepEqual(
      [result.created, result.existing, result.refused, result.problems.map(({ line }) => line)],
      [lines.length - 3, 0, 1, [4]],
    );
    assert.deepEqual(await allIn(to), []);
    const { records, queues } = await to.ledger.work.stats();
    assert.deepEqual([records, queues], [0, []]);
    await importOf(adminOf(to), lines);
    const known = await importOf(adminOf(to), lines, { dry_run: true });
    assert.deepEqual([known.created, known.existing], [0, lines.length - 2]);
  });

  test("keeps the guards: names, limits and pages are held as before", async () => {
    const to = bookFixture();
    await importOf(adminOf(to), await fileOf(adminOf(await filled())));
    await rejectsHeld(
      ask(to, "createSchedule", { when: "every day", name: "tidy", run: { command: ["ls"] } }),
    );
    await rejectsHeld(ask(to, "runScheduleNow", { id: "tidy" }), /is running now/);
    const again = await ask(to, "nag", { page: "trip", at: "+3h" });
    const nags = (await allIn(to)).filter((record) => is(nagKind, record));
    assert.ok(
      nags.some(({ id }) => id === again),
      "the page has one nag",
    );
    assert.equal(nags.length, 2);
    const day = { message: "twice", at: "+2h", target: "stdout:a", related_task_id: "task_9" };
    await rejectsHeld(ask(to, "remind", day), /already has a reminder on/);
    const newer = { message: "newer", at: "+1d", collapse_key: "c", target: "stdout:a" };
    await ask(to, "remind", newer);
    const retro = (await allIn(to)).filter(
      (record) => is(notificationKind, record) && record.body.message === "retro",
    );
    assert.deepEqual(
      retro.map(({ state }) => state),
      ["cancelled"],
    );
  });

  test("keeps the keys of events, slots and profiles, and refuses a request under another's", async () => {
    const to = bookFixture();
    await importOf(adminOf(to), await fileOf(adminOf(await filled())));
    const stored = await allIn(to);
    await ask(to, "setProfile", { quiet: "23:00-06:00" });
    assert.equal((await allIn(to)).length, stored.length, "there is one profile");
    const repeated = ask(to, "remind", { message: "stand-up", at: "+1h", key: "k" });
    await assert.rejects(repeated, (error) => hasCode(error, "conflict"));
  });

  test("keeps the keys that the program makes itself, so that it writes nothing a second time", async () => {
    const from = bookFixture();
    const me = { ...adminOf(from), owner: "me", by: "me" };
    const message = { message: "hi", at: 0, atText: "now", target: "telegram:1", origin: null };
    const write = async (at: BookFixture): Promise<readonly (boolean | null)[]> => {
      const book = at.ledger.of("me", "me");
      await welcome({ ...adminOf(at), readProfile: async () => installed });
      const sent = { ...makeNotification(message), id: "019a8d3e-0a10-7c44-8a5f-6b7c8d9e0f11" };
      const { record } = await book.append(sent);
      const fresh: (boolean | null)[] = [];
      const event = await book.append(makeEvent(happened, { owner: "me", home: "me", now: 0 }));
      const again = { id: event.id, body: happened, priority: "normal", outcome: null } as const;
      const facts = { now: 0, target: "stdout:a", thread: null, capacity: null };
      const task = eventTask(again, worker, { ...facts, id: "task-20261116-007" });
      const retried = { ...again, outcome: { handler: "h", task: task.id ?? "", reason: null } };
      const drafts: Draft[] = [
        ...(is(notificationKind, record)
          ? [makeMark(record, { message: "done", now: 0, change: "a:b" })]
          : []),
        task,
        eventTask(retried, worker, { ...facts, id: "task-20261116-008" }),
        { ...makeTask({ ...run, slot }), key: slotKey("s", 5) },
        { ...makeNotification(message), id: "msg-1", key: fileKey("msg-1") },
      ];
      for (const draft of drafts) fresh.push((await book.append<Shape>(draft)).fresh);
      return fresh;
    };
    assert.deepEqual(await write(from), [true, true, true, true, true]);
    const lines = await fileOf(me);
    const to = bookFixture();
    await importOf({ ...adminOf(to), owner: "me", by: "me" }, lines);
    assert.deepEqual(await write(to), [false, false, false, false, false]);
    const { records } = await to.ledger.of("me", "me").list({ limit: 500 });
    assert.equal(records.length, lines.length - 2);
  });

  test("says which records are here under another id", async () => {
    const from = bookFixture();
    const to = bookFixture();
    await ask(from, "setProfile", { quiet: "22:00-07:00" });
    await ask(to, "setProfile", { quiet: "off" });
    await ask(from, "remind", { message: "one", at: "+1h", key: "k", target: "stdout:a" });
    const other = await ask(to, "remind", {
      message: "two",
      at: "+1h",
      key: "k",
      target: "stdout:a",
    });
    await ask(from, "remind", { message: "three", at: "+1h", target: "stdout:a" });
    const renamed = withOtherIds(await fileOf(adminOf(from)));
    const [profile] = await allIn(to);
    const expected = [
      { line: 2, id: "other-0", as: profile?.id },
      { line: 3, id: "other-1", as: other },
    ];
    for (const dry_run of [true, false]) {
      const result = await importOf(adminOf(to), renamed, { dry_run });
      assert.deepEqual([result.created, result.existing], [1, 2]);
      assert.deepEqual(result.known, expected);
    }
    assert.equal((await allIn(to)).length, 3);
  });

  test("shows the times and the caller of a notification's first book", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const to = bookFixture();
    to.clock.advance(60_000);
    await importOf(adminOf(to), lines);
    const id = recordsOf(lines).find(
      ({ kind, state }) => kind === "notification" && state === "cancelled",
    )?.id;
    const context = adminOf(to);
    const shown = await operations.show.run({ id: id ?? "" }, context);
    assert.equal(shown.created_at, "2026-11-15T23:00:00Z");
    assert.equal(shown.cancelled_at, "2026-11-15T23:00:00Z");
    assert.equal(shown.created_by, "mina-at-cli");
  });

  test("gives calls a new secret, and says whose", async () => {
    const from = await filled();
    const lines = await fileOf(adminOf(from));
    const to = bookFixture();
    const { new_secrets: changed } = await importOf(adminOf(to), lines);
    const schedule = (await allIn(to)).find(
      (record) => is(scheduleKind, record) && record.body.name === "call",
    );
    assert.ok(is(scheduleKind, schedule) && "http" in schedule.body.run);
    const { secret } = schedule.body.run;
    assert.match(secret, /^whsec_.{32}$/);
    assert.deepEqual(changed, [{ id: schedule.id, secret }]);
    assert.doesNotMatch(lines.join(), /whsec_/);
    const dry = await importOf(adminOf(bookFixture()), lines, { dry_run: true });
    assert.deepEqual(dry.new_secrets, [], "nothing was written");
  });
});

async function rejectsHeld(request: Promise<unknown>, message = /./): Promise<void> {
  await assert.rejects(request, (error) => hasCode(error, "held") && message.test(error.message));
}

describe("an import is refused as a whole, and writes nothing,", () => {
  const wrong: [
    what: string,
    lines: (file: readonly string[]) => readonly string[],
    message: RegExp,
  ][] = [
    [
      "without its last line",
      (file) => file.slice(0, -1),
      /cut off: its last line.*Export the book again/,
    ],
    [
      "with a record missing",
      (file) => file.toSpliced(2, 1),
      /Line \d+ counts \d+ records, and \d+ lines stand/,
    ],
    ["cut inside a line", (file) => [...file.slice(0, 3), (file[3] ?? "").slice(0, 40)], /cut off/],
    ["without its first line", (file) => file.slice(1), /: This is not an exported book/],
    ["of something else", () => ["{}", "{}"], /: This is not an exported book/],
    [
      "of a later format",
      (file) => withLine(file, 0, (head) => ({ ...head, format: "daybook-export-2" })),
      /has the format "daybook-export-2", and this Daybook reads "daybook-export-1"/,
    ],
    [
      "with a wrong end",
      (file) => withLine(file, file.length - 1, () => ({ end: true, records: "x" })),
      /"records" must be a number/,
    ],
  ];
  for (const [what, change, message] of wrong) {
    test(what, async () => {
      const lines = change(await fileOf(adminOf(await filled())));
      const to = bookFixture();
      await assert.rejects(importOf(adminOf(to), lines), message);
      assert.deepEqual(await allIn(to), []);
    });
  }

  test("with every problem and its line", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const at = (kind: string): number =>
      lines.findIndex((line, index) => index > 0 && line.includes(`"kind":"${kind}"`));
    const changes: [
      at: number,
      change: (line: Record<string, unknown>) => object,
      problem: RegExp,
    ][] = [
      [at("profile"), (line) => ({ ...line, colour: "red" }), /it may not have "colour"/],
      [
        at("page"),
        (line) => ({ ...line, body: { pageId: "trip" } }),
        /The body is wrong: "title" is missing/,
      ],
      [
        at("nag"),
        (line) => ({ ...line, outcome: { asked: -1 } }),
        /The outcome is wrong: "asked" must be/,
      ],
      [
        at("schedule"),
        (line) => ({ ...line, state: "asleep" }),
        /has no state "asleep": choose from active,/,
      ],
      [
        at("event"),
        (line) => ({ ...line, ended_at: line["created_at"] }),
        /is no end: set "ended_at" to null/,
      ],
      [
        at("question"),
        (line) => ({ ...line, kind: "webhook" }),
        /the kind "webhook" is not imported: choose from profile,/,
      ],
      [
        at("expiry"),
        (line) => ({ ...line, wake_at: "tomorrow" }),
        /"wake_at" is not valid: write it like/,
      ],
      [at("task"), (line) => ({ ...line, queue: "nag" }), /queue "nag" cannot carry a task/],
    ];
    const broken = changes.reduce((file, [index, change]) => withLine(file, index, change), lines);
    const notJson = broken.with(at("notification"), "{oops");
    const to = bookFixture();
    const context = adminOf(to);
    await rejected(
      importOf(context, notJson),
      "invalid",
      /^9 of \d+ lines are wrong, so nothing was imported/,
    );
    const { problems } = await importOf(context, notJson, { dry_run: true });
    for (const [index, , problem] of changes) {
      const found = problems.find(({ line }) => line === index + 1);
      assert.match(found?.problem ?? "", problem);
      assert.equal(found?.id, (JSON.parse(lines[index] ?? "") as { id: string }).id);
    }
    assert.equal(
      problems.find(({ line }) => line === at("notification") + 1)?.problem,
      "It is not JSON.",
    );
    assert.deepEqual(await allIn(to), []);
  });

  test("when it has a record twice, or one that could not be made here", async () => {
    const at = bookFixture();
    await ask(at, "remind", { message: "hi", at: "+1h", target: "stdout:a" });
    await ask(at, "putPage", { id: "trip", title: "Trip" });
    const lines = await fileOf(adminOf(at));
    const [head = "", reminder = "", page = "", end = ""] = lines;
    const twice = [head, reminder, reminder, page, end.replace('"records":2', '"records":3')];
    await rejected(
      importOf(adminOf(bookFixture()), twice),
      "invalid",
      /line 3 .*stands on line 2 already/,
    );
    const empty = withLine(lines, 1, (line) => ({
      ...line,
      body: { ...(line["body"] as object), message: " " },
    }));
    await rejected(
      importOf(adminOf(bookFixture()), empty),
      "invalid",
      /line 2 .*The message is empty/,
    );
    const moved = withLine(lines, 2, (line) => ({ ...line, id: "another" }));
    await rejected(
      importOf(adminOf(bookFixture()), moved),
      "invalid",
      /line 3 .*The id of the page "trip"/,
    );
  });

  test("when the book has one of its names for another record, and when two of its records want one", async () => {
    const from = bookFixture();
    const to = bookFixture();
    for (const name of ["tidy", "sweep"]) {
      await ask(from, "createSchedule", { when: "every day", name, run: { command: ["ls"] } });
    }
    await ask(to, "remind", { message: "first", at: "+1h", target: "stdout:a" });
    await ask(to, "putPage", { id: "p", title: "P" });
    await ask(to, "createSchedule", { when: "every day", name: "Tidy", run: { command: ["pwd"] } });
    const lines = withOtherIds(await fileOf(adminOf(from)));
    await rejected(
      importOf(adminOf(to), lines),
      "invalid",
      /line 2 .*A schedule named "tidy" already exists/,
    );
    assert.equal((await allIn(to)).length, 3);
    const same = withLine(lines, 2, (line) => ({
      ...line,
      body: { ...(line["body"] as object), name: "tidy" },
    }));
    const empty = bookFixture();
    const { problems } = await importOf(adminOf(empty), same, { dry_run: true });
    assert.deepEqual(
      problems.map(({ line }) => line),
      [3],
    );
    await rejected(importOf(adminOf(empty), same), "invalid", /^1 of 4 lines are wrong/);
    assert.deepEqual(await allIn(empty), []);
  });

  test("when it is another owner's, or the caller may not", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const to = bookFixture();
    const jun = { ...to.jun, scopes: ["admin"] as const };
    await rejected(
      importOf(jun, lines),
      "refused",
      /the book of "mina", and you use that of "jun"/,
    );
    await rejected(importOf(to.mina, lines), "refused", /needs the scope "admin"/);
    assert.equal((await to.ledger.work.stats()).records, 0);
  });

  test("when an id is another owner's record, whose kind it does not tell", async () => {
    const from = bookFixture();
    await ask(from, "remind", { message: "hi", at: "+1h", target: "stdout:a" });
    const lines = await fileOf(adminOf(from));
    const id = recordsOf(lines)[0]?.id ?? "";
    const to = bookFixture();
    const body = { message: "secret", at: 0, atText: "now", target: "stdout:a", origin: null };
    await to.ledger.of("jun", "jun").append({ ...makeNotification(body), id });
    await rejected(
      importOf(adminOf(to), lines),
      "invalid",
      new RegExp(`line 2 .*The id ${id} is taken`),
    );
    assert.deepEqual(await allIn(to), []);
  });
});

describe("a file in parts", () => {
  test("leaves live records parked until all of it is written, then each gets its time", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const to = bookFixture();
    const context = adminOf(to);
    const [head = "", ...rest] = lines.slice(0, -1);
    const parts = [rest.slice(0, 7), rest.slice(7)];
    const send = (parked: boolean) =>
      Promise.all(
        parts.map((part, index) =>
          importOf(context, [head, ...part], { part: { line: 2 + index * 7, parked } }),
        ),
      );
    const first = await send(true);
    const stored = await allIn(to);
    assert.equal(stored.length, rest.length);
    assert.deepEqual((await to.ledger.work.stats()).queues, [], "nothing is due at any time");
    const parked = first.reduce((sum, each) => sum + each.parked, 0);
    const started = (await send(false)).reduce((sum, each) => sum + each.started, 0);
    const due = recordsOf(lines).filter(({ wake_at: at }) => at !== null);
    assert.deepEqual([parked, started], [due.length, due.length]);
    const times = (await allIn(to)).filter(({ readyAt }) => readyAt !== null);
    assert.deepEqual(
      times.map(({ id }) => id),
      due.map(({ id }) => id),
    );
    assert.equal(
      (await send(false)).reduce((sum, each) => sum + each.started, 0),
      0,
    );
  });

  test("that was cut off is completed by importing it again, and what was changed since stays", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const to = bookFixture();
    const context = adminOf(to);
    const [head = "", ...rest] = lines.slice(0, -1);
    await importOf(context, [head, ...rest.slice(0, 9)], { part: { line: 2, parked: true } });
    const nag = (await allIn(to)).find((record) => is(nagKind, record));
    await ask(to, "pauseNag", { id: nag?.id });
    const result = await importOf(context, lines);
    assert.equal(result.created, rest.length - 9);
    assert.ok(result.started > 0);
    const paused = await to.ledger.of("mina", "x").get(nag?.id ?? "");
    assert.deepEqual([paused?.state, paused?.readyAt], ["paused", null]);
    const times = new Map((await allIn(to)).map(({ id, readyAt }) => [id, readyAt !== null]));
    for (const { id, wake_at: at } of recordsOf(lines)) {
      if (id !== nag?.id) assert.equal(times.get(id), at !== null, id);
    }
  });

  test("names the lines of the file, not those of the part", async () => {
    const lines = await fileOf(adminOf(await filled()));
    const part = [lines[0] ?? "", "{}"];
    const imported = importOf(adminOf(bookFixture()), part, {
      part: { line: 1_234, parked: true },
    });
    await rejected(imported, "invalid", /\nline 1234: The line is wrong: "kind" is missing/);
  });

  test("has a limit", async () => {
    const lines = Array.from({ length: 1_003 }, () => "{}");
    await rejected(
      importOf(adminOf(bookFixture()), lines),
      "invalid",
      /"lines" must be at most 1002/,
    );
  });
});

describe("a record whose attempt was running when it was exported", () => {
  const message = { message: "hi", at, atText: "now", target: "stdout:a", origin: null };
  async function arrivedFrom(draft: Draft): Promise<AnyRecord> {
    const from = bookFixture();
    const { id } = await from.ledger.of("mina", "mina").append<Shape>(draft);
    const kind: Kind = draft.kind === "task" ? taskKind : notificationKind;
    await from.ledger.work.claim({
      kind,
      queue: draft.queue,
      holder: "n1",
      leaseMs: 9_000,
      limit: 1,
    });
    const to = bookFixture();
    await importOf(adminOf(to), await fileOf(adminOf(from)));
    const record = await to.ledger.of("mina", "x").get(id);
    assert.ok(record);
    return record;
  }

  test("is a notification that may have been delivered", async () => {
    const record = await arrivedFrom(makeNotification(message));
    assert.ok(is(notificationKind, record));
    assert.deepEqual([record.state, record.outcome?.maybeDelivered], ["pending", true]);
    const once = await arrivedFrom(makeNotification({ ...message, atMostOnce: true }));
    assert.ok(is(notificationKind, once));
    assert.equal(once.outcome?.maybeDelivered, true, "so that its next claim ends it unconfirmed");
  });

  test("is a run that ended interrupted, unless its schedule runs it again", async () => {
    const once = await arrivedFrom(makeTask({ ...run, slot: { ...slot, rerun: false } }));
    assert.ok(is(taskKind, once));
    assert.deepEqual(
      [once.state, once.outcome?.reason],
      ["interrupted", "it was running when its book was exported"],
    );
    const again = await arrivedFrom(makeTask({ ...run, slot: { ...slot, rerun: true } }));
    assert.deepEqual([again.state, again.wakeAt === null], ["pending", false]);
  });

  test("is a task whose attempt counts", async () => {
    const retry = { attempts: 2, firstMs: 1, factor: 1, maxMs: 1 };
    const first = await arrivedFrom(makeTask({ ...run, name: "invoice.send", retry }));
    assert.ok(is(taskKind, first));
    assert.deepEqual([first.state, first.outcome?.earlier], ["pending", 1]);
    const last = await arrivedFrom(makeTask({ ...run, name: "invoice.send" }));
    assert.equal(last.state, "interrupted");
  });

  test("ends cancelled if it was to be cancelled", async () => {
    const from = bookFixture();
    const book = from.ledger.of("mina", "mina");
    const { id } = await book.append(makeNotification(message));
    await from.ledger.work.claim({
      kind: notificationKind,
      holder: "n1",
      leaseMs: 9_000,
      limit: 1,
    });
    assert.equal((await book.cancel({ id })).result, "cancelling");
    const to = bookFixture();
    await importOf(adminOf(to), await fileOf(adminOf(from)));
    assert.equal((await to.ledger.of("mina", "x").get(id))?.state, "cancelled");
  });
});
