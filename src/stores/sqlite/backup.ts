import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ErrorData, fromErrorData } from "../../platform/errors.ts";
import type { BackupContent } from "./backup-file.ts";

export interface BackupData {
  readonly path: string;
  readonly to: string;
}

export type BackupReply = { readonly content: BackupContent } | { readonly error: ErrorData };

/**
 * Copies a ledger, in use or not, by this process or another, to a new file. The copy was opened and
 * checked when this resolves; it holds all that was committed when the copying began.
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
