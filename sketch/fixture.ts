import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { features } from "./app/features.ts";
import { open, type Daybook } from "./app/open.ts";
import { healthPort } from "./features/events/index.ts";
import { notificationPorts } from "./features/notifications/index.ts";
import { runners } from "./features/tasks/index.ts";
import { workspacePorts } from "./features/workspaces/index.ts";
import type { FileLayout } from "./kernel/files.ts";
import type { Kinds } from "./kernel/kind.ts";
import { provide, type Provision } from "./kernel/port.ts";
import type { Store } from "./kernel/verbs.ts";
import { fileStore } from "./stores/file.ts";
import { memoryStore } from "./stores/memory.ts";

/** What the outside world does in a test. */
export interface World {
  now: number;
  sent: string[];
  /** What each run answers. */
  output: string;
  overloaded: boolean;
  running: Set<string>;
}

export function world(): World {
  return {
    now: Date.parse("2026-01-01T09:00:00Z"),
    sent: [],
    output: "ok",
    overloaded: false,
    running: new Set(),
  };
}

export function adaptersOf(w: World): readonly Provision[] {
  const run = async (): Promise<{ result: "completed"; text: string }> => ({
    result: "completed",
    text: w.output,
  });
  return [
    provide(notificationPorts.channel, {}, () => ({
      async send({ body }) {
        w.sent.push(body.message);
        return { receipt: `r${w.sent.length}` };
      },
    })),
    provide(runners, {}, () => ({ name: "command", run })),
    provide(runners, {}, () => ({ name: "workspace", run })),
    provide(healthPort, {}, () => () => ({ overloaded: w.overloaded })),
    provide(workspacePorts.machines, {}, () => ({
      start: async (id) => void w.running.add(id),
      isRunning: async (id) => w.running.has(id),
    })),
  ];
}

interface Opened {
  readonly book: Daybook;
  readonly folder: string;
  scan(): Promise<void>;
}

export const storeNames = ["memory", "file"] as const;

export async function opened(
  w: World,
  {
    store: name = "memory",
    config = {},
  }: { store?: (typeof storeNames)[number]; config?: Record<string, unknown> } = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "sketch-"));
  const now = (): number => w.now;
  let files: ReturnType<typeof fileStore> | undefined;
  const store = (kinds: Kinds): Store => {
    if (name === "memory") return memoryStore(now);
    const layouts = features.flatMap((each): readonly FileLayout[] =>
      "fileLayouts" in each ? each.fileLayouts : [],
    );
    files = fileStore({ folder, kinds, layouts, now });
    return files.store;
  };
  const book = await open({ store, now, adapters: adaptersOf(w), config });
  const { ledger, files: ways } = book.node;
  return { book, folder, scan: async () => files?.scan({ ledger, owner: "me", ways }) };
}
