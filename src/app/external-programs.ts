import { readProfile } from "../features/accounts/index.ts";
import {
  eventFile,
  eventFromFile,
  taskFile,
  taskFromFile,
  fileWorker,
  eventKind,
} from "../features/events/index.ts";
import {
  numbers,
  messageFile,
  messageFromFile,
  notificationKind,
} from "../features/notifications/index.ts";
import { taskKind } from "../features/tasks/index.ts";
import { readDropped, fileActions, type ExternalPrograms } from "../kernel/files.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Profile } from "../kernel/profile.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { WhenSettings } from "./config/when.ts";
import { eventHandlingFrom } from "./event-handling.ts";
import { self } from "./self.ts";

interface Parts {
  platform: PlatformPorts;
  /** As it is set now. */
  when(): WhenSettings;
  defaults(owner: string): Profile;
}

/** What other programs may do with the files of a file store: drop events, tasks and messages, work on tasks. */
export function externalPrograms(parts: Parts): (ledger: Ledger) => ExternalPrograms {
  const { platform, when, defaults } = parts;
  const { owner } = self;
  return (ledger) => {
    const { ends } = eventHandlingFrom({
      ledger,
      platform,
      numbers: numbers(ledger),
      readProfile: (whose) => readProfile(ledger, whose, defaults),
      home: owner,
      settings: when,
    });
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
        const { handlers, defaultTarget, capacity } = when();
        return {
          draft: taskFromFile(file, handlers, { owner, now: now(), defaultTarget, capacity }),
        };
      },
      work: fileWorker(ends),
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
