import type { Ledger } from "../kernel/ledger.ts";
import { registered } from "../kernel/registered.ts";
import { DaybookError } from "../platform/errors.ts";
import { ids } from "../platform/ids.ts";
import type { Outside } from "../stores/file/external.ts";
import type { Ground } from "./compose.ts";
import type { StoreUrl } from "./config/store-url.ts";
import { kinds } from "./kinds.ts";

export async function openLedger(
  store: StoreUrl,
  ground: Ground,
  /** What is made of files that others put into a book of files; absent: they are left for a daemon. */
  outside?: (ledger: Ledger) => Outside,
): Promise<Ledger> {
  return registered(await openStore(store, ground, outside), kinds);
}

/** A store is loaded when it is opened: nobody pays for the drivers of the others. */
async function openStore(
  store: StoreUrl,
  ground: Ground,
  outside?: (ledger: Ledger) => Outside,
): Promise<Ledger> {
  switch (store.kind) {
    case "memory": {
      const { memory } = await import("../stores/memory/memory.ts");
      return memory({ now: () => ground.clock.wall(), ids: ids(ground.clock, ground.random) });
    }
    case "sqlite":
      return (await import("../stores/sqlite/sqlite.ts")).sqlite({ path: store.path });
    case "file":
      return (await import("../stores/file/file.ts")).file({
        folder: store.folder,
        ...(outside && { outside }),
      });
    case "postgres":
      return (await import("../stores/postgres/postgres.ts")).postgres({ url: store.url });
  }
}

/** What lies beside the records of a store is swept by this, from before a time. */
export function sweepOf(store: StoreUrl): { sweep?(before: number): Promise<number> } {
  if (store.kind !== "file") return {};
  const { folder } = store;
  return {
    sweep: async (before) => (await import("../stores/file/sweep.ts")).sweepFolder(folder, before),
  };
}

/** Where the book is, without the secrets of its address. */
export function nameOf(store: StoreUrl): string {
  switch (store.kind) {
    case "memory":
      return "memory";
    case "sqlite":
      return store.path;
    case "file":
      return store.folder;
    case "postgres":
      return `${new URL(store.url).host}${new URL(store.url).pathname}`;
  }
}

export async function backupStore(store: StoreUrl, to: string): Promise<{ records: number }> {
  if (store.kind === "sqlite")
    return (await import("../stores/sqlite/backup.ts")).backup(store.path, to);
  const advice = {
    memory: "A book in memory cannot be backed up: use sqlite:PATH.",
    file: "A book of files is backed up by copying its folder while no daemon runs.",
    postgres: "A book in PostgreSQL is backed up with pg_dump.",
  };
  throw new DaybookError("unsupported", advice[store.kind]);
}
