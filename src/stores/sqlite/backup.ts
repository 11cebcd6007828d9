import { once } from "node:events";
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { DaybookError, type ErrorData, fromErrorData, messageOf } from "../../platform/errors.ts";

export interface BackupData {
  readonly path: string;
  readonly to: string;
}

export type BackupReply = { readonly content: BackupContent } | { readonly error: ErrorData };

/**
 * Copies a ledger, which any process may have open, to a new file. Resolves when the copy is verified. It has
 * everything that was committed before the start.
 */
export async function backup(path: string, to: string): Promise<BackupContent> {
  const data: BackupData = { path, to };
  const worker = new Worker(workerUrl(), { workerData: data });
  const [reply] = (await once(worker, "message")) as [BackupReply];
  if ("error" in reply) throw fromErrorData(reply.error);
  return reply.content;
}

function workerUrl(): URL {
  const source = new URL("./backup-worker.ts", import.meta.url);
  return import.meta.url.endsWith(".ts") ? source : new URL("./backup-worker.js", import.meta.url);
}

/** The contents of a verified copy. */
export interface BackupContent {
  readonly records: number;
  readonly schema: number;
}

/**
 * Copies a ledger that may be in use, verifies the copy, and only then renames it to `to`. It blocks: a
 * running store does it in another thread.
 */
export function backupFile(
  path: string,
  to: string,
  isComplete: (content: BackupContent) => boolean = () => true,
): BackupContent {
  const unfinished = `${to}.half`;
  try {
    rmSync(unfinished, { force: true });
    closeSync(openSync(unfinished, "wx", 0o600));
    copy(path, unfinished);
    const content = inspect(unfinished);
    if (!isComplete(content)) throw new Error("the copy does not have all records of the ledger");
    syncFile(unfinished);
    renameSync(unfinished, to);
    syncFile(dirname(to));
    return content;
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw new DaybookError(
      "unavailable",
      `No backup was made at ${to}: ${messageOf(cause)}. Fix that and try again.`,
      { cause, details: { path, to } },
    );
  }
}

function copy(path: string, to: string): void {
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    source.prepare("vacuum into ?").run(to);
  } finally {
    source.close();
  }
}

/** Reads the whole copy. Throws when any page or row of it is damaged. */
function inspect(path: string): BackupContent {
  const database = new DatabaseSync(path, { readOnly: true });
  const value = (text: string): unknown => Object.values(database.prepare(text).get() ?? {})[0];
  try {
    const verdict = value("pragma integrity_check");
    if (verdict !== "ok") throw new Error(`the copy is damaged: ${String(verdict)}`);
    return {
      records: Number(value("select count(*) from record")),
      schema: Number(value("select max(number) from migration")),
    };
  } finally {
    database.close();
  }
}

/** Waits until a file's bytes, or a folder's names, are on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
