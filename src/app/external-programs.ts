import {
  eventFile,
  eventFromFile,
  taskFile,
  taskFromFile,
  fileWorker,
  eventKind,
  eventRules,
  workerEnds,
} from "../features/events/index.ts";
import { messageFile, messageFromFile, notificationKind } from "../features/notifications/index.ts";
import { taskKind } from "../features/tasks/index.ts";
import { readDropped, fileActions, type ExternalPrograms } from "../kernel/files.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { Config } from "./config/config.ts";
import { hostFor } from "./host.ts";
import { localCaller } from "./local-caller.ts";

interface Parts {
  platform: PlatformPorts;
  /** The current settings. */
  current(): Config;
}

/** What other programs can do with the files of a file store: drop events, tasks and messages, and work on tasks. */
export function externalPrograms(parts: Parts): (ledger: Ledger) => ExternalPrograms {
  const { platform } = parts;
  const { owner } = localCaller;
  return (ledger) => {
    const host = hostFor({ ...parts, ledger, source: "config", baseUrl: () => "", provisions: [] });
    const now = (): number => platform.clock.wall();
    const event = fileActions(eventKind, {
      drop(content) {
        const file = readDropped(eventFile, content);
        return { draft: eventFromFile(file, { owner, home: owner, now: now() }) };
      },
    });
    const task = fileActions(taskKind, {
      drop(content) {
        const file = readDropped(taskFile, content);
        const { handlers, defaultTarget, capacity } = host.use(eventRules);
        return {
          draft: taskFromFile(file, handlers, { owner, now: now(), defaultTarget, capacity }),
        };
      },
      work: fileWorker(host.use(workerEnds)),
    });
    const message = fileActions(notificationKind, {
      drop: (content) => ({ draft: messageFromFile(readDropped(messageFile, content), now()) }),
    });
    return {
      owner,
      by: "file",
      actions: new Map([event, task, message]),
      failed: (error) => platform.log.error("files.failed", { error }),
    };
  };
}
