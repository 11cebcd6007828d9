import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { DaybookError, fromErrorData } from "../../base/errors.ts";
import type { Claimed } from "../../rules/record.ts";
import { toClaimed, isClaimed, type Row } from "../memory/row.ts";
import { agrees } from "./drop-ins.ts";
import { dropReasons } from "./drop-reasons.ts";
import { isAboutFile, type Looked, type OutsideDesk } from "./outside-desk.ts";
import { resultPlace } from "./place.ts";
import { setAside } from "./quarantine.ts";
import { readOutside, type Read } from "./read-outside.ts";
import { resultOf } from "./seed-view.ts";
import type { Shown } from "./shown.ts";
import { claimFor, isOutside, taskOf, workerFor } from "./worker-claims.ts";

/** Which task a result file is of. */
export function taskAt(shown: Shown, place: string): { id: string; place: string } | undefined {
  for (const folder of ["in_progress", "pending", "completed"]) {
    const at = `queue/tasks/${folder}/${basename(place)}`;
    const id = shown.idAt(at);
    if (id !== undefined) return { id, place: at };
  }
  return undefined;
}

/** Takes what a worker wrote as the end of its task. Its name says which task it is of. */
export async function takeResult(desk: OutsideDesk, place: string): Promise<Looked> {
  const task = taskAt(desk.shown, place);
  const row = task && (await desk.look(task.id));
  const read = readOutside(desk.root, place, desk.now());
  if (read.is === "gone") return "done";
  if (read.is === "half" || (row && desk.isBehind(row.id))) return "again";
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
  if (!agrees({ ...json, task_id: row.id }, resultOf(taskOf(row)))) {
    return dropReasons.ended(row.state);
  }
  if (!("daybook" in json)) desk.show(row);
  return undefined;
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
  let task = toClaimed(row) as Claimed<"task">;
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
    task = answer.record as Claimed<"task">;
  }
  throw new DaybookError("busy", `${row.id} was changed again and again: it is looked at later.`);
}
