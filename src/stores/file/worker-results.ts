import { lstatSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileLayout, FileView, FileWork, WorkerFiles } from "../../kernel/files.ts";
import { DaybookError, fromErrorData } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { type Row, isClaimed, toClaimed, toRecord } from "../memory/row.ts";
import { type FolderContext, type Progress, isAboutFile } from "./context.ts";
import { type Read, readExternal } from "./external-file.ts";
import { fingerprintAt } from "./file-index.ts";
import { heartbeatPath, resultPath, workerFilesOf } from "./layouts.ts";
import { quarantineReasons, setAside } from "./quarantine.ts";
import { claimFor, isHeldOverFiles, workerOf } from "./worker-claims.ts";

/** A kind whose records are worked on over files. */
type Worked = FileLayout & { readonly worker: WorkerFiles };

/** The kinds whose results are in the folder of a path. */
function workedAt({ layouts }: FolderContext, path: string): readonly Worked[] {
  const isWorked = (each: FileLayout): each is Worked =>
    each.worker?.resultFolder === dirname(path);
  return [...layouts.byKind.values()].filter(isWorked);
}

/** The record that a result file is of, by its name. */
function recordAt(context: FolderContext, path: string): string | undefined {
  const name = basename(path);
  const paths = workedAt(context, path).flatMap(({ folder, stateFolders = [] }) =>
    stateFolders.map((state) => `queue/${folder}/${state}/${name}`),
  );
  const found = paths.find((each) => context.index.idAt(each) !== undefined);
  return found === undefined ? undefined : context.index.idAt(found);
}

/** Whether a result file is as we wrote it. It is not read: there may be many. */
export function isOurs({ root, index }: FolderContext, path: string): boolean {
  const fingerprint = index.results.get(path);
  return fingerprint !== undefined && fingerprint === fingerprintAt(root, path);
}

/** Ends a record as the result says that a worker wrote. Its name says which record it is of. */
export async function takeResult(context: FolderContext, path: string): Promise<Progress> {
  if (isOurs(context, path)) return "done";
  const id = recordAt(context, path);
  const row = id === undefined ? undefined : await context.find(id);
  const read = readExternal(context.root, path, context.now());
  if (read.is === "half" || (row && context.isBehind(row.id))) return "again";
  if (read.is === "gone") {
    if (row !== undefined && row.endedAt !== null) context.show(row); // somebody removed it
    return "done";
  }
  if (row === undefined && isSidecar(context, path)) return "done";
  const reason = await reasonAgainst(context, row, { read, path });
  if (reason === undefined) return "done";
  setAside(context.root, path, reason);
  if (row !== undefined && row.endedAt !== null) context.show(row); // its own is there again
  return "done";
}

/** A file that a worker keeps for itself, beside the result of a record. */
function isSidecar(context: FolderContext, path: string): boolean {
  const ends = workedAt(context, path).flatMap(({ worker }) => worker.sidecars);
  return ends.some(
    (end) =>
      path.endsWith(end) && recordAt(context, `${path.slice(0, -end.length)}.json`) !== undefined,
  );
}

interface Written {
  readonly path: string;
  readonly read: Extract<Read, { is: "json" | "bad" }>;
}

/** Undefined: it is taken, or there is nothing new in it. */
async function reasonAgainst(
  context: FolderContext,
  row: Row | undefined,
  { path, read }: Written,
): Promise<string | undefined> {
  if (row === undefined) {
    const kinds = workedAt(context, path).map(({ kind }) => kind.name);
    return quarantineReasons.missing(kinds.join(" or "));
  }
  if (read.is === "bad") return read.reason;
  if (row.endedAt !== null) return reasonAfterEnd(context, row, read.json);
  if (row.lease === null && row.attempt > 0 && read.mtimeMs <= row.updatedAt) {
    rmSync(join(context.root, path), { force: true }); // of the attempt before: a crash left it
    return undefined;
  }
  const claimed = await claimedRow(context, row);
  if (typeof claimed === "string") return claimed;
  try {
    await settleResult(context, claimed, read.json);
    return undefined;
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    return error.message; // the lease goes on: a better one may come
  }
}

function reasonAfterEnd(context: FolderContext, row: Row, json: FileView): string | undefined {
  const worker = context.layouts.byKind.get(row.kind)?.worker;
  if (worker === undefined || !agrees(json, worker, row)) {
    return quarantineReasons.ended(row.kind, row.state);
  }
  context.show(row);
  return undefined;
}

/** Whether nothing of what a file says is lost when ours is in its place. */
function agrees(json: FileView, { idField, result }: WorkerFiles, row: Row): boolean {
  const ours: FileView = result(toRecord(row));
  return Object.entries(json).every(
    ([name, value]) =>
      name === idField || (name in ours && canonical(value) === canonical(ours[name])),
  );
}

/** The row under the worker's lease, also if it wrote its result without moving the file first. */
async function claimedRow(context: FolderContext, row: Row): Promise<Row | string> {
  if (isHeldOverFiles(row)) return row;
  if (row.lease !== null) return quarantineReasons.held(row.kind, row.lease.holder);
  const worker = workerOf(context, row);
  const claimed = worker && (await claimFor(context, row, worker));
  return (claimed && (await context.find(row.id))) ?? quarantineReasons.waits(row.kind);
}

const triesMax = 8;

/** Settles a record as its result says, or as having none. An edit in between is not lost. */
async function settleResult(context: FolderContext, row: Row, json: unknown): Promise<void> {
  const { root, ledger, layouts } = context;
  if (!isClaimed(row)) return;
  const { result } = workOf(context, row);
  let record = toClaimed(row);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { id, revision, lease } = record;
    const verdict = await result(record, json);
    const [answer] = await ledger.work.settle([{ id, revision, fence: lease.fence, ...verdict }]);
    if (answer === undefined || answer.result === "stale") return;
    if (answer.result === "refused") throw fromErrorData(answer.error);
    if (answer.result === "settled") {
      context.onStep("reported");
      const files = layouts.byKind.get(row.kind)?.worker;
      // An attempt that is made again begins without the result of this one.
      if (files && !("ends" in verdict)) rmSync(join(root, resultPath(files, id)), { force: true });
      return;
    }
    record = answer.record;
  }
  throw new DaybookError("busy", `${row.id} was changed again and again: it is read again later.`);
}

function workOf({ external }: FolderContext, { kind }: Row): FileWork {
  const work = external.actions.get(kind)?.work;
  if (work === undefined) throw new DaybookError("unsupported", `Nobody works on a ${kind} here.`);
  return work;
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
