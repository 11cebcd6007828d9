import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkerFiles } from "../../kernel/files.ts";
import { toRecord, type Row } from "../memory/row.ts";
import type { FolderContext, Progress } from "./context.ts";
import { embeddedOf, isFree } from "./embedded-record.ts";
import { claimFilesAt, heartbeatPath, resultPath, workerFilesOf } from "./layouts.ts";
import { quarantineReasons } from "./quarantine-reasons.ts";
import { setAside } from "./quarantine.ts";
import { settleResult, takeResult } from "./results.ts";
import { claimFor, isHeldOverFiles, workerOf } from "./worker-claim.ts";

interface Moved {
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly row: Row;
}

/** A file of a record where it should not be: whoever moved the file of a free record has claimed it. */
export async function takeMoved(context: FolderContext, moved: Moved): Promise<Progress> {
  const { path, json, row } = moved;
  if (context.isBehind(row.id)) return "again";
  const embedded = embeddedOf(json);
  const files = claimFilesAt(context.layouts, path);
  const isClaim = files && (embedded === undefined || isFree(embedded, row, files.state));
  const worker = isClaim ? workerOf(context, row) : undefined;
  if (worker !== undefined && (await claimFor(context, row, worker)) !== undefined) {
    context.index.set(row.id, path);
    return "done";
  }
  moveBack(context, moved);
  return "done";
}

/** The record is shown where it should be. A file that was never ours is kept to look at. */
function moveBack({ root, index, show }: FolderContext, { path, json, row }: Moved): void {
  if (index.pathOf(row.id) !== path) {
    if (embeddedOf(json) === undefined) setAside(root, path, quarantineReasons.copy);
    else rmSync(join(root, path), { force: true });
  }
  show(row);
}

/** Looks after a record that a program holds. Answers when to look again; null: it is held no more. */
export async function checkHeld(context: FolderContext, id: string): Promise<number | null> {
  const row = await context.find(id);
  const files = row && isHeldOverFiles(row) ? workerFilesOf(context.layouts, row.kind) : undefined;
  if (row === undefined || files === undefined) {
    context.held.delete(id);
    return null;
  }
  const path = resultPath(files, id);
  if (isThere(context, path) && (await takeResult(context, path)) === "done") return context.now();
  const until = await leaseEnd(context, row, files);
  if (until > context.now()) return until;
  await settleResult(context, row, null);
  return context.now();
}

/** Until when it is held: a heartbeat that was touched since makes it longer. */
async function leaseEnd(context: FolderContext, row: Row, files: WorkerFiles): Promise<number> {
  const { root, ledger, external, now } = context;
  const { id, kind, fence, cancelling, wakeAt } = row;
  const leaseMs = external.actions.get(kind)?.work?.worker(toRecord(row))?.leaseMs;
  const stat = lstatSync(join(root, heartbeatPath(files, id)), { throwIfNoEntry: false });
  const end = wakeAt ?? 0;
  if (stat === undefined || leaseMs === undefined || cancelling) return end;
  const until = Math.min(Math.floor(stat.mtimeMs), now()) + leaseMs;
  if (until <= end || until <= now()) return end;
  const [answer] = await ledger.work.keep([{ id, fence, leaseMs: until - now() }]);
  return answer?.result === "kept" ? until : end;
}

function isThere({ root }: FolderContext, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}
