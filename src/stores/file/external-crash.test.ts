import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventKind } from "../../features/events/kind.ts";
import { fileLayouts as layouts } from "../../features/index.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../../features/notifications/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { sampled } from "../../testing/depth.ts";
import { testPrograms, taskDraft } from "../../testing/external-programs.ts";
import { assertNotTwice, assertShown } from "../../testing/ledger-folder.ts";
import { file } from "./file.ts";
import type { Step } from "./step.ts";

const say = (line: string): number => writeSync(1, `${line}\n`);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function drop(folder: string, place: string, content: unknown): void {
  const [parent, name] = [join(folder, place, ".."), place.split("/").at(-1)];
  writeFileSync(join(parent, `.tmp-${name}`), JSON.stringify(content));
  renameSync(join(parent, `.tmp-${name}`), join(folder, place));
}

/** The event has a task and a message from now on: one unit. */
async function dispatch({ work }: Ledger, round: number): Promise<void> {
  const { records } = await work.claim({ kind: eventKind, ...lease });
  for (const { id, lease: held, revision } of records) {
    const append = [taskDraft(`t-${round}`), messageDraft(`m-${round}`)];
    const unit = { id, fence: held.fence, revision, wakeAt: Date.now() + lease.leaseMs };
    await work.settle([{ ...unit, state: "dispatched", consequences: { append } }]);
    say(`dispatched ${id}`);
  }
}

const lease = { holder: "h", leaseMs: 60_000, limit: 10 } as const;

function messageDraft(id: string): DraftOf<NotificationKind> {
  const said = { message: id, at: 1, atText: "now", target: "inbox:me", origin: null };
  return { ...makeNotification({ ...said, type: "run" }), id, queue: "notification" };
}

/** The event ends with its task, and what was said of it is sent. */
async function end(ledger: Ledger, round: number): Promise<void> {
  await ledger.of("me", "test").edit({ kind: "event", id: `evt-${round}`, ends: "completed" });
  say(`ended evt-${round}`);
  const { records } = await ledger.work.claim({ kind: notificationKind, ...lease });
  const outcome = { receipt: 1, reason: null, maybeDelivered: false };
  for (const { id, lease: held, revision } of records) {
    await ledger.work.settle([{ id, fence: held.fence, revision, ends: "delivered", outcome }]);
    say(`sent ${id}`);
  }
}

/** Drops events and works on tasks over files without end, as other programs do, and dies in it. */
async function workUntilDead(folder: string, endAt: Step, nth: number): Promise<void> {
  const { external, onStep, until } = testPrograms({ leaseMs: 60_000 });
  let left = nth;
  const step = (each: Step): void => {
    if (each === endAt) left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    onStep(each);
  };
  const ledger = await file({
    folder,
    layouts,
    external: () => external,
    onStep: step,
    checkpointCommits: 8,
  });
  for (let round = 1; ; round += 1) {
    drop(folder, `queue/events/pending/evt-${round}.json`, { type: "a.b", source: "sh" });
    say(`dropped evt-${round}`);
    await until("dropped", round);
    await dispatch(ledger, round);
    const pending = `queue/tasks/pending/t-${round}.json`;
    while (!existsSync(join(folder, pending))) await turn();
    renameSync(join(folder, pending), join(folder, `queue/tasks/in_progress/t-${round}.json`));
    say(`moved t-${round}`);
    await until("taken", round);
    drop(folder, `state/results/t-${round}.json`, { status: "success", summary: "ok" });
    say(`reported t-${round}`);
    await until("reported", round);
    while (!existsSync(join(folder, `queue/tasks/completed/t-${round}.json`))) await turn();
    await end(ledger, round);
  }
}

async function die(folder: string, endAt: Step, nth: number): Promise<readonly string[]> {
  const args = [import.meta.filename, "work", folder, endAt, String(nth)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  await once(child, "close");
  assert.equal(child.signalCode, "SIGKILL", "it died as it should");
  return said.trim().split("\n");
}

function idsSaid(said: readonly string[], what: string): readonly string[] {
  return said.flatMap((line) => (line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : []));
}

/** Where the files of an id are. */
function placesOf(folder: string, id: string): readonly string[] {
  return globSync(`queue/*/*/${id}.json`, { cwd: folder });
}

async function reopen(folder: string, said: readonly string[]): Promise<void> {
  assertNotTwice(folder);
  for (const id of idsSaid(said, "dropped")) assert.equal(placesOf(folder, id).length, 1, id);
  for (const id of idsSaid(said, "moved")) assert.equal(placesOf(folder, id).length, 1, id);
  const { external } = testPrograms({ leaseMs: 60_000 });
  const ledger = await file({ folder, layouts, external: () => external });
  for (const id of idsSaid(said, "dropped")) await checkRound(ledger, said, id.slice(4));
  await ledger.close();
  assertShown(folder);
  assert.equal(existsSync(join(folder, "quarantine")), false, "nothing of it was strange");
}

/** Whatever was said is true; what was asked for last may be, and then all of its unit is. */
async function checkRound(ledger: Ledger, said: readonly string[], round: string): Promise<void> {
  const get = async (id: string): Promise<AnyRecord | undefined> => ledger.of("me", "test").get(id);
  const was = (what: string, id: string): boolean => said.includes(`${what} ${id}-${round}`);
  const [event, task, message] = [
    await get(`evt-${round}`),
    await get(`t-${round}`),
    await get(`m-${round}`),
  ];
  const isDispatched = event?.state !== "pending";
  assert.ok(event !== undefined, `evt-${round}`);
  assert.ok(isDispatched || !was("dispatched", "evt"), `evt-${round} is pending again`);
  assert.deepEqual(
    [task !== undefined, message !== undefined],
    [isDispatched, isDispatched],
    `an event is dispatched with all that follows, or not at all: evt-${round}`,
  );
  if (was("ended", "evt")) assert.equal(event.state, "completed");
  if (was("sent", "m")) assert.equal(message?.state, "delivered");
  if (task === undefined) return;
  const isReported = was("reported", "t");
  assert.equal(task.state, isReported ? "completed" : "pending", task.id);
  if (was("moved", "t") && !isReported) assert.equal(task.lease?.holder, "file:gen-pr");
  assert.ok(task.attempt <= 1, "its work counts once");
}

const steps: Partial<Record<Step, readonly number[]>> = {
  begun: [1, 2, 3, 4, 5, 6, 7, 8, 11],
  written: [1, 2, 3, 4, 5, 6, 7, 8, 13],
  synced: [1, 2, 3, 4, 5, 6, 7, 8, 13],
  answered: [2, 5, 9],
  dropped: [1, 3],
  taken: [1, 3],
  reported: [1, 3],
  "result shown": [1, 3],
  moved: [1, 2, 3, 4, 5],
  projected: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
};

async function dieAndReopen(step: Step, nth: number): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  const folder = join(parent, "book");
  try {
    await reopen(folder, await die(folder, step, nth));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function tests(): void {
  const all = Object.entries(steps);
  for (const [index, [step, times]] of all.entries()) {
    test(`kill -9 at "${step}", while programs drop and move files: each id is in one folder`, async (t) => {
      const chosen = sampled(t, times, { size: 2, of: "deaths", shift: index / all.length });
      await Promise.all(chosen.map((nth) => dieAndReopen(step as Step, nth)));
    });
  }
}

const [, , role, folder = "", endAt = "", nth = ""] = process.argv;
if (role === "work") await workUntilDead(folder, endAt as Step, Number(nth));
else tests();
