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

const print = (line: string): number => writeSync(1, `${line}\n`);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function drop(folder: string, path: string, content: unknown): void {
  const [parent, name] = [join(folder, path, ".."), path.split("/").at(-1)];
  writeFileSync(join(parent, `.tmp-${name}`), JSON.stringify(content));
  renameSync(join(parent, `.tmp-${name}`), join(folder, path));
}

/** Dispatches an event: its task and its message are one unit. */
async function dispatch({ work }: Ledger, round: number): Promise<void> {
  const { records } = await work.claim({ kind: eventKind, ...lease });
  for (const { id, lease: held, revision } of records) {
    const append = [taskDraft(`t-${round}`), messageDraft(`m-${round}`)];
    const unit = { id, fence: held.fence, revision, wakeAt: Date.now() + lease.leaseMs };
    await work.settle([{ ...unit, state: "dispatched", consequences: { append } }]);
    print(`dispatched ${id}`);
  }
}

const lease = { holder: "h", leaseMs: 60_000, limit: 10 } as const;

function messageDraft(id: string): DraftOf<NotificationKind> {
  const body = { message: id, at: 1, atText: "now", target: "inbox:me", origin: null };
  return { ...makeNotification({ ...body, type: "run" }), id, queue: "notification" };
}

/** Ends the event and sends its message. */
async function end(ledger: Ledger, round: number): Promise<void> {
  await ledger.of("me", "test").edit({ kind: "event", id: `evt-${round}`, ends: "completed" });
  print(`ended evt-${round}`);
  const { records } = await ledger.work.claim({ kind: notificationKind, ...lease });
  const outcome = { receipt: 1, reason: null, maybeDelivered: false };
  for (const { id, lease: held, revision } of records) {
    await ledger.work.settle([{ id, fence: held.fence, revision, ends: "delivered", outcome }]);
    print(`sent ${id}`);
  }
}

/** Drops events and works on tasks over files, as other programs do, until the process is killed. */
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
    print(`dropped evt-${round}`);
    await until("dropped", round);
    await dispatch(ledger, round);
    const pending = `queue/tasks/pending/t-${round}.json`;
    while (!existsSync(join(folder, pending))) await turn();
    renameSync(join(folder, pending), join(folder, `queue/tasks/in_progress/t-${round}.json`));
    print(`moved t-${round}`);
    await until("taken", round);
    drop(folder, `state/results/t-${round}.json`, { status: "success", summary: "ok" });
    print(`reported t-${round}`);
    await until("reported", round);
    while (!existsSync(join(folder, `queue/tasks/completed/t-${round}.json`))) await turn();
    await end(ledger, round);
  }
}

async function runUntilKilled(
  folder: string,
  endAt: Step,
  nth: number,
): Promise<readonly string[]> {
  const args = [import.meta.filename, "work", folder, endAt, String(nth)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (bytes: Buffer) => (printed += bytes.toString()));
  await once(child, "close");
  assert.equal(child.signalCode, "SIGKILL", "the process is killed");
  return printed.trim().split("\n");
}

function idsPrinted(printed: readonly string[], what: string): readonly string[] {
  return printed.flatMap((line) =>
    line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : [],
  );
}

/** The paths of an id's files. */
function pathsOf(folder: string, id: string): readonly string[] {
  return globSync(`queue/*/*/${id}.json`, { cwd: folder });
}

async function reopen(folder: string, printed: readonly string[]): Promise<void> {
  assertNotTwice(folder);
  for (const id of idsPrinted(printed, "dropped")) assert.equal(pathsOf(folder, id).length, 1, id);
  for (const id of idsPrinted(printed, "moved")) assert.equal(pathsOf(folder, id).length, 1, id);
  const { external } = testPrograms({ leaseMs: 60_000 });
  const ledger = await file({ folder, layouts, external: () => external });
  for (const id of idsPrinted(printed, "dropped")) await checkRound(ledger, printed, id.slice(4));
  await ledger.close();
  assertShown(folder);
  assert.equal(existsSync(join(folder, "quarantine")), false, "no file is quarantined");
}

/** Every printed step has happened. The last one may have, and then with its whole unit. */
async function checkRound(
  ledger: Ledger,
  printed: readonly string[],
  round: string,
): Promise<void> {
  const get = async (id: string): Promise<AnyRecord | undefined> => ledger.of("me", "test").get(id);
  const was = (what: string, id: string): boolean => printed.includes(`${what} ${id}-${round}`);
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
    `an event is dispatched with its task and message, or not at all: evt-${round}`,
  );
  if (was("ended", "evt")) assert.equal(event.state, "completed");
  if (was("sent", "m")) assert.equal(message?.state, "delivered");
  if (task === undefined) return;
  const isReported = was("reported", "t");
  assert.equal(task.state, isReported ? "completed" : "pending", task.id);
  if (was("moved", "t") && !isReported) assert.equal(task.lease?.holder, "file:gen-pr");
  assert.ok(task.attempt <= 1, "its attempt counts once");
}

const steps: Partial<Record<Step, readonly number[]>> = {
  started: [1, 2, 3, 4, 5, 6, 7, 8, 11],
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

async function killAndReopen(step: Step, nth: number): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  const folder = join(parent, "book");
  try {
    await reopen(folder, await runUntilKilled(folder, step, nth));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function tests(): void {
  const all = Object.entries(steps);
  for (const [index, [step, times]] of all.entries()) {
    test(`kill -9 at "${step}", with files of other programs: each id is in one folder`, async (t) => {
      const chosen = sampled(t, times, { size: 1, of: "deaths", shift: index / all.length });
      await Promise.all(chosen.map((nth) => killAndReopen(step as Step, nth)));
    });
  }
}

const [, , role, folder = "", endAt = "", nth = ""] = process.argv;
if (role === "work") await workUntilDead(folder, endAt as Step, Number(nth));
else tests();
