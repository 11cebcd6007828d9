import { parentPort, workerData } from "node:worker_threads";
import { toErrorData } from "../../platform/errors.ts";
import { type BackupData, type BackupReply, backupFile } from "./backup.ts";

// The entry of the thread that makes one backup: copying blocks, and the store's thread has work.
function run({ path, to }: BackupData): BackupReply {
  try {
    return { content: backupFile(path, to) };
  } catch (error) {
    return { error: toErrorData(error) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
parentPort?.postMessage(run(workerData as BackupData));
