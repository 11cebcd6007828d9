import { lstatSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type {
  FileLayout,
  FileReport,
  FileView,
  FileWork,
  WorkerFiles,
} from "../../kernel/files.ts";
import { DaybookError, fromErrorData } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { type Row, isClaimed, toClaimed, toRecord } from "../memory/row.ts";
import { exists } from "./atomic-file.ts";
import { type Read, readExternal } from "./external-file.ts";
import { isAsWritten } from "./file-index.ts";
import { orQuarantine, type FolderContext, type Progress } from "./folder-context.ts";
import { heartbeatPath, resultPath, workerFilesOf } from "./layouts.ts";
import { quarantineReasons, quarantineFile } from "./quarantine.ts";
import { claimFor, isHeldOverFiles, workerOf } from "./worker-claims.ts";

/** The layout of a kind whose records are claimed over files. */
type WorkerLayout = FileLayout & { readonly worker: WorkerFiles };

/** The kinds whose results are in the folder of a path. */
function workerLayoutsAt({ layouts }: FolderContext, path: string): readonly WorkerLayout[] {
  const hasWorkers = (each: FileLayout): each is WorkerLayout =>
    each.worker?.resultFolder === dirname(path);
  return [...layouts.byKind.values()].filter(hasWorkers);
}

/** The id of a result file's record, by the file's name. */
function recordAt(context: FolderContext, path: string): string | undefined {
  const name = basename(path);
  const paths = workerLayoutsAt(context, path).flatMap(({ folder, stateFolders = [] }) =>
    stateFolders.map((state) => `${folder}/${state}/${name}`),
  );
  const found = paths.find((each) => context.index.idAt(each) !== undefined);
  return found === undefined ? undefined : context.index.idAt(found);
}

/** Settles the record of a worker's result file. */
export function handleResult(context: FolderContext, path: string): Promise<Progress> {
  return orQuarantine(context, path, () => handleReport(context, path));
}

async function handleReport(context: FolderContext, path: string): Promise<Progress> {
  if (isAsWritten(context.index, context.root, path)) return "done";
  const id = recordAt(context, path);
  const row = id === undefined ? undefined : await context.find(id);
  const read = readExternal(context.root, path, context.now());
  if (read.is === "partial" || (row && context.isBehind(row.id))) return "retry";
  if (read.is === "gone") {
    await showEnded(context, id); // the result was removed
    return "done";
  }
  if (row === undefined && isSidecar(context, path)) return "done";
  const reason = await rejectionOf(context, row, { read, path });
  if (reason === undefined) return "done";
  if (exists(join(context.root, path))) quarantineFile(context.root, path, reason);
  await showEnded(context, id);
  return "done";
}

/** Writes the result of a record that has ended in its place again. */
async function showEnded(context: FolderContext, id: string | undefined): Promise<void> {
  const row = id === undefined ? undefined : await context.find(id);
  if (row !== undefined && row.endedAt !== null) context.show(row);
}

/** Whether it is a worker's own file beside the result of a record. */
function isSidecar(context: FolderContext, path: string): boolean {
  const ends = workerLayoutsAt(context, path).flatMap(({ worker }) => worker.sidecars);
  return ends.some(
    (end) =>
      path.endsWith(end) && recordAt(context, `${path.slice(0, -end.length)}.json`) !== undefined,
  );
}

interface Written {
  readonly path: string;
  readonly read: Extract<Read, { is: "json" | "bad" }>;
}

/** The reason to quarantine a result. Undefined: it is settled, or has nothing new. */
async function rejectionOf(
  context: FolderContext,
  row: Row | undefined,
  { path, read }: Written,
): Promise<string | undefined> {
  if (row === undefined) {
    const kinds = workerLayoutsAt(context, path).map(({ kind }) => kind.name);
    return quarantineReasons.missing(kinds.join(" or "));
  }
  if (row.endedAt !== null) return rejectionAfterEnd(context, row, read);
  const isOld = read.is === "json" && read.mtimeMs <= row.updatedAt;
  if (row.lease === null && row.attempt > 0 && isOld) {
    rmSync(join(context.root, path), { force: true }); // left by a crash of the attempt before
    return undefined;
  }
  const claimed = await claimedRow(context, row);
  if (typeof claimed === "string") return claimed;
  return settleResult(context, claimed, reportOf(read));
}

function reportOf(read: Written["read"]): FileReport {
  return read.is === "json" ? { json: read.json } : { wrong: read.reason };
}

function rejectionAfterEnd(
  context: FolderContext,
  row: Row,
  read: Written["read"],
): string | undefined {
  if (read.is === "bad") return read.reason;
  const worker = context.layouts.byKind.get(row.kind)?.worker;
  if (worker === undefined || !contains(read.json, worker, row)) {
    return quarantineReasons.ended(row.kind, row.state);
  }
  context.show(row);
  return undefined;
}

/** Whether the stored result has every field of the file. */
function contains(json: FileView, { idField, result }: WorkerFiles, row: Row): boolean {
  const stored: FileView = result(toRecord(row));
  return Object.entries(json).every(
    ([name, value]) =>
      name === idField || (name in stored && canonical(value) === canonical(stored[name])),
  );
}

/** The row under the worker's lease. A worker that did not move the file first gets the lease now. */
async function claimedRow(context: FolderContext, row: Row): Promise<Row | string> {
  if (isHeldOverFiles(row)) return row;
  if (row.lease !== null) return quarantineReasons.held(row.kind, row.lease.holder);
  const worker = workerOf(context, row);
  if (worker !== undefined) await claimFor(context, row, worker);
  const claimed = await context.find(row.id); // the move of its file may have claimed it just now
  return claimed && isHeldOverFiles(claimed) ? claimed : quarantineReasons.waits(row.kind);
}

const triesMax = 8;

/** Settles a record with its result, or without one. An edit in between is not lost. Answers what was wrong with it. */
async function settleResult(
  context: FolderContext,
  row: Row,
  report: FileReport | null,
): Promise<string | undefined> {
  const { root, ledger, layouts } = context;
  if (!isClaimed(row)) return undefined;
  const { result } = workOf(context, row);
  let record = toClaimed(row);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { id, revision, lease } = record;
    const { verdict, wrong } = await result(record, report);
    const [answer] = await ledger.work.settle([{ id, revision, fence: lease.fence, ...verdict }]);
    if (answer === undefined || answer.result === "stale") return undefined;
    if (answer.result === "refused") throw fromErrorData(answer.error);
    if (answer.result === "settled") {
      context.onStep("reported");
      const files = layouts.byKind.get(row.kind)?.worker;
      // The next attempt starts without the result of this one.
      const isLeft = files !== undefined && wrong === undefined && !("ends" in verdict);
      if (isLeft) rmSync(join(root, resultPath(layouts, files, id)), { force: true });
      return wrong;
    }
    record = answer.record;
  }
  throw new DaybookError("busy", `${row.id} keeps changing: its result is read again later.`);
}

function workOf({ external }: FolderContext, { kind }: Row): FileWork {
  const work = external.actions.get(kind)?.work;
  if (work === undefined)
    throw new DaybookError("unsupported", `No worker of this node handles a ${kind}.`);
  return work;
}

/** Checks a record that a worker has claimed. Answers when to check again; null: it is no longer claimed. */
export async function checkLease(context: FolderContext, id: string): Promise<number | null> {
  const row = await context.find(id);
  const files = row && isHeldOverFiles(row) ? workerFilesOf(context.layouts, row.kind) : undefined;
  if (row === undefined || files === undefined) {
    context.held.delete(id);
    return null;
  }
  const path = resultPath(context.layouts, files, id);
  if (exists(join(context.root, path)) && (await handleResult(context, path)) === "done")
    return context.now();
  const until = await leaseEnd(context, row, files);
  if (until > context.now()) return until;
  await settleResult(context, row, null);
  return context.now();
}

/** The end of the lease. A newer heartbeat extends it. */
async function leaseEnd(context: FolderContext, row: Row, files: WorkerFiles): Promise<number> {
  const { root, ledger, external, now } = context;
  const { id, kind, fence, cancelling, wakeAt } = row;
  const leaseMs = external.actions.get(kind)?.work?.worker(toRecord(row))?.leaseMs;
  const stat = lstatSync(join(root, heartbeatPath(context.layouts, files, id)), {
    throwIfNoEntry: false,
  });
  const end = wakeAt ?? 0;
  if (stat === undefined || leaseMs === undefined || cancelling) return end;
  const until = Math.min(Math.floor(stat.mtimeMs), now()) + leaseMs;
  if (until <= end || until <= now()) return end;
  const [answer] = await ledger.work.keep([{ id, fence, leaseMs: until - now() }]);
  return answer?.result === "kept" ? until : end;
}
