import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../memory/row.ts";
import type { Looked, OutsideDesk } from "./context.ts";
import { isTaken, markOf } from "./embedded-record.ts";
import { heartbeatPlace, resultPlace } from "./layouts.ts";
import { dropReasons } from "./quarantine-reasons.ts";
import { setAside } from "./quarantine.ts";
import { endTask, takeResult } from "./results.ts";
import { claimFor, isOutside, taskOf, workerFor } from "./worker-claim.ts";

interface Found {
  readonly place: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly row: Row;
}

/** A file of a record where it should not be: whoever moved a task that is free has claimed it. */
export async function takeMoved(desk: OutsideDesk, { place, json, row }: Found): Promise<Looked> {
  if (desk.isBehind(row.id)) return "again";
  const mark = markOf(json);
  const isFree = mark === undefined || isTaken(mark, row);
  const worker = isFree && place.startsWith(taken) ? workerFor(desk, row) : undefined;
  if (worker !== undefined && (await claimFor(desk, row, worker)) !== undefined) {
    desk.shown.set(row.id, place);
    return "done";
  }
  putRight(desk, { place, json, row });
  return "done";
}

const taken = "queue/tasks/in_progress/";

/** The record is shown where it should be. A file that was never ours is kept to look at. */
function putRight({ root, shown, show }: OutsideDesk, { place, json, row }: Found): void {
  if (shown.placeOf(row.id) !== place) {
    if (markOf(json) === undefined) setAside(root, place, dropReasons.copy);
    else rmSync(join(root, place), { force: true });
  }
  show(row);
}

/** Looks at a task that somebody outside has. Answers when to look again; null: they have it no more. */
export async function tend(desk: OutsideDesk, id: string): Promise<number | null> {
  const row = await desk.look(id);
  if (row === undefined || !isOutside(row)) {
    desk.taken.delete(id);
    return null;
  }
  if (isThere(desk, resultPlace(id)) && (await takeResult(desk, resultPlace(id))) === "done") {
    return desk.now();
  }
  const until = await kept(desk, row);
  if (until > desk.now()) return until;
  await endTask(desk, row, null);
  return desk.now();
}

/** Until when they have it: a heartbeat that was touched since makes it longer. */
async function kept({ root, ledger, outside, now }: OutsideDesk, row: Row): Promise<number> {
  const { id, fence, cancelling, wakeAt } = row;
  const leaseMs = outside.worker(taskOf(row))?.leaseMs;
  const stat = lstatSync(join(root, heartbeatPlace(id)), { throwIfNoEntry: false });
  const ends = wakeAt ?? 0;
  if (stat === undefined || leaseMs === undefined || cancelling) return ends;
  const until = Math.min(Math.floor(stat.mtimeMs), now()) + leaseMs;
  if (until <= ends || until <= now()) return ends;
  const [answer] = await ledger.work.keep([{ id, fence, leaseMs: until - now() }]);
  return answer?.result === "kept" ? until : ends;
}

function isThere({ root }: OutsideDesk, place: string): boolean {
  return lstatSync(join(root, place), { throwIfNoEntry: false }) !== undefined;
}
