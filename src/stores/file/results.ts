import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import { DaybookError, fromErrorData } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { toClaimed, isClaimed, type Row } from "../memory/row.ts";
import { isAboutFile, type Looked, type OutsideDesk } from "./context.ts";
import { readOutside, type Read } from "./external-file.ts";
import type { Shown } from "./file-index.ts";
import { sealAt } from "./fingerprint.ts";
import { resultPlace } from "./layouts.ts";
import { dropReasons } from "./quarantine-reasons.ts";
import { setAside } from "./quarantine.ts";
import { resultOf, type View } from "./seed-view.ts";
import { claimFor, isOutside, taskOf, workerFor } from "./worker-claim.ts";

/** Which task a result file is of. */
function taskAt(shown: Shown, place: string): string | undefined {
  const ids = ["in_progress", "pending", "completed"].map((folder) =>
    shown.idAt(`queue/tasks/${folder}/${basename(place)}`),
  );
  return ids.find((id) => id !== undefined);
}

/** Whether a result file is as we wrote it. It is not read: there may be many. */
export function isOurs({ root, shown }: OutsideDesk, place: string): boolean {
  const seal = shown.results.get(place);
  return seal !== undefined && seal === sealAt(root, place);
}

/** Takes what a worker wrote as the end of its task. Its name says which task it is of. */
export async function takeResult(desk: OutsideDesk, place: string): Promise<Looked> {
  if (isOurs(desk, place)) return "done";
  const id = taskAt(desk.shown, place);
  const row = id === undefined ? undefined : await desk.look(id);
  const read = readOutside(desk.root, place, desk.now());
  if (read.is === "half" || (row && desk.isBehind(row.id))) return "again";
  if (read.is === "gone") {
    if (row !== undefined && row.endedAt !== null) desk.show(row); // somebody removed it
    return "done";
  }
  if (row === undefined && isBeside(desk.shown, place)) return "done";
  const reason = await reasonAgainst(desk, row, { read, place });
  if (reason === undefined) return "done";
  setAside(desk.root, place, reason);
  if (row !== undefined && row.endedAt !== null) desk.show(row); // its own is there again
  return "done";
}

interface Written {
  readonly place: string;
  readonly read: Extract<Read, { is: "json" | "bad" }>;
}

/** Undefined: it is taken, or there is nothing new in it. */
async function reasonAgainst(
  desk: OutsideDesk,
  row: Row | undefined,
  { place, read }: Written,
): Promise<string | undefined> {
  if (row === undefined) return dropReasons.noTask;
  if (read.is === "bad") return read.reason;
  if (row.endedAt !== null) return afterEnd(desk, row, read.json);
  if (row.lease === null && row.attempt > 0 && read.mtimeMs <= row.updatedAt) {
    rmSync(join(desk.root, place), { force: true }); // of the attempt before: a crash left it
    return undefined;
  }
  const claimed = await claimedRow(desk, row);
  if (typeof claimed === "string") return claimed;
  try {
    await endTask(desk, claimed, read.json);
    return undefined;
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    return error.message; // the lease goes on: a better one may come
  }
}

function afterEnd(
  desk: OutsideDesk,
  row: Row,
  json: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!saysTheSame(json, resultOf(taskOf(row)))) return dropReasons.ended(row.state);
  desk.show(row);
  return undefined;
}

/** Whether nothing of what a file says is lost when ours is in its place. */
function saysTheSame(json: View, ours: View): boolean {
  return Object.entries(json).every(
    ([name, value]) =>
      name === "task_id" || (name in ours && canonical(value) === canonical(ours[name])),
  );
}

/** Files of a worker that are nobody's but its own. */
function isBeside(shown: Shown, place: string): boolean {
  const task = place.replace(/-(raw|checkpoint)\.json$/, ".json");
  return task !== place && taskAt(shown, task) !== undefined;
}

/** The row under the worker's lease, also if it wrote its result without moving the task first. */
async function claimedRow(desk: OutsideDesk, row: Row): Promise<Row | string> {
  if (isOutside(row)) return row;
  if (row.lease !== null) return dropReasons.worked(row.lease.holder);
  const worker = workerFor(desk, row);
  const claimed = worker && (await claimFor(desk, row, worker));
  return (claimed && (await desk.look(row.id))) ?? dropReasons.waits;
}

const triesMax = 8;

/** Settles a task as its result says, or as having none. An edit in between is not lost. */
export async function endTask(desk: OutsideDesk, row: Row, json: unknown): Promise<void> {
  const { root, ledger, outside } = desk;
  if (!isClaimed(row)) return;
  let task = toClaimed(row) as Claimed<TaskKind>;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { id, revision, lease } = task;
    const verdict = await outside.result(task, json);
    const [answer] = await ledger.work.settle([{ id, revision, fence: lease.fence, ...verdict }]);
    if (answer === undefined || answer.result === "stale") return;
    if (answer.result === "refused") throw fromErrorData(answer.error);
    if (answer.result === "settled") {
      desk.onStep("reported");
      // An attempt that is made again begins without the result of this one.
      if (!("ends" in verdict)) rmSync(join(root, resultPlace(id)), { force: true });
      return;
    }
    task = answer.record as Claimed<TaskKind>;
  }
  throw new DaybookError("busy", `${row.id} was changed again and again: it is looked at later.`);
}
