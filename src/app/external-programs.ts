import {
  eventFromFile,
  messageFromFile,
  taskFromFile,
  type EventFile,
  type MessageFile,
  type TaskFile,
} from "../features/events/dropped-file.ts";
import { isForWorkers } from "../features/events/event-task.ts";
import { readResult, resultFault } from "../features/events/result.ts";
import type { TaskKind } from "../features/tasks/kind.ts";
import type { Desk } from "../kernel/ask.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import { DaybookError } from "../platform/errors.ts";
import type { Outside } from "../stores/file/external.ts";
import type { Ground } from "./compose.ts";
import type { WhenSettings } from "./config/when.ts";
import { self } from "./desk.ts";
import { whenDesk } from "./when-desk.ts";

interface OutsideParts {
  ground: Ground;
  /** As it is set now. */
  when(): WhenSettings;
  defaults: Desk["defaults"];
}

const who = { owner: self.owner, by: "file" };

/** What is made of the files that other programs put into a book of files. */
export function outsideFrom(parts: OutsideParts): (ledger: Ledger) => Outside {
  const { ground, when, defaults } = parts;
  return (ledger) => {
    const { ends } = whenDesk({ ledger, ground, defaults, home: self.owner, settings: when });
    return {
      who,
      drop: (kind, json) => ({ draft: draftOf(kind, json, { now: ground.clock.wall(), when }) }),
      worker: workerOf,
      async result(task, json) {
        if (json === null) return ends(task, null);
        const result = readResult(json, task.id);
        if (result === undefined) throw new DaybookError("invalid", resultFault(json, task.id));
        return ends(task, result);
      },
      failed: (error) => ground.log.error("outside.failed", { error }),
    };
  };
}

function draftOf(
  kind: Parameters<Outside["drop"]>[0],
  json: Parameters<Outside["drop"]>[1],
  { now, when }: { now: number; when(): WhenSettings },
) {
  const { owner } = who;
  // Each was checked by the schema of its folder.
  switch (kind) {
    case "event":
      return eventFromFile(json as unknown as EventFile, { owner, home: self.owner, now });
    case "task": {
      const { handlers, speaksTo, places } = when();
      return taskFromFile(json as unknown as TaskFile, handlers, { owner, now, speaksTo, places });
    }
    case "notification":
      return messageFromFile(json as unknown as MessageFile, now);
  }
}

/** Tasks of handlers that run nothing here are for whoever takes them. */
function workerOf({ body }: LedgerRecord<TaskKind>): ReturnType<Outside["worker"]> {
  const { name, timeoutMs } = body;
  return isForWorkers({ body }) ? { name, leaseMs: timeoutMs } : undefined;
}
