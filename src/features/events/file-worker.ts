import type { FileWork } from "../../kernel/files.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { isForWorkers } from "./event-task.ts";
import { readResult, resultFault, type Result } from "./result.ts";

/** Where a worker leaves a task; null: it wrote no result in time. */
type End = (task: Claimed<TaskKind>, result: Result | null) => Promise<Verdict<TaskKind>>;

/** Tasks of handlers that run nothing here may be worked on over files. */
export function fileWorker(end: End): FileWork<TaskKind> {
  return {
    worker({ body }) {
      const { name, timeoutMs } = body;
      return isForWorkers({ body }) ? { name, leaseMs: timeoutMs } : undefined;
    },
    async result(task, json) {
      if (json === null) return end(task, null);
      const result = readResult(json, task.id);
      if (result === undefined) throw new DaybookError("invalid", resultFault(json, task.id));
      return end(task, result);
    },
  };
}
