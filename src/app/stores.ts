import { kinds } from "../features/index.ts";
import type { ExternalPrograms } from "../kernel/files.ts";
import { guardKinds } from "../kernel/kind-guard.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { DaybookError } from "../platform/errors.ts";
import { ids } from "../platform/ids.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { StoreUrl } from "./config/store-url.ts";
import type { OwnStore } from "./own-store.ts";

/** Where a book is, or the store that a program made itself. */
export type Store = StoreUrl | OwnStore;

export async function openLedger(
  store: Store,
  platform: PlatformPorts,
  /** What other programs can do in the folders of a file store; absent: their files are left for a daemon. */
  external?: (ledger: Ledger) => ExternalPrograms,
): Promise<Ledger> {
  return guardKinds(await openStore(store, platform, external), kinds);
}

/** Runs with the ledger of a book. */
export type UseBook = <Result>(use: (ledger: Ledger) => Promise<Result>) => Promise<Result>;

/** Opens the book for each use. */
export function opening(store: StoreUrl, platform: PlatformPorts): UseBook {
  return async (use) => {
    const ledger = await openLedger(store, platform);
    try {
      return await use(ledger);
    } finally {
      await ledger.close();
    }
  };
}

/** A store is loaded when it is opened, without the drivers of the others. */
async function openStore(
  store: Store,
  platform: PlatformPorts,
  external?: (ledger: Ledger) => ExternalPrograms,
): Promise<Ledger> {
  switch (store.kind) {
    case "memory": {
      const { memory } = await import("../stores/memory/memory.ts");
      return memory({
        now: () => platform.clock.wall(),
        ids: ids(platform.clock, platform.random),
      });
    }
    case "sqlite":
      return (await import("../stores/sqlite/sqlite.ts")).sqlite({ path: store.path });
    case "file": {
      const { file } = await import("../stores/file/file.ts");
      const { fileLayouts: layouts } = await import("../features/index.ts");
      return file({ folder: store.folder, layouts, external });
    }
    case "postgres":
      return (await import("../stores/postgres/postgres.ts")).postgres({ url: store.url });
    case "own":
      return store.ledger;
  }
}

/** Removes old files that a store keeps beside its records; undefined for a store without such files. */
export function sweepOf(store: StoreUrl): ((before: number) => Promise<number>) | undefined {
  if (store.kind !== "file") return undefined;
  const { folder } = store;
  return async (before) => {
    const { sweepFolder } = await import("../stores/file/sweep.ts");
    const { fileLayouts: layouts } = await import("../features/index.ts");
    return sweepFolder({ folder, layouts, before });
  };
}

/** The files of other programs that a store refused; undefined for a store without such files. */
export async function refusedFiles(
  store: StoreUrl,
): Promise<{ files: number; newest: string | null } | undefined> {
  if (store.kind !== "file") return undefined;
  return (await import("../stores/file/quarantine.ts")).quarantinedIn(store.folder);
}

/** Where the book is, without the secrets in its URL. */
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

export async function backupStore(store: Store, to: string): Promise<{ records: number }> {
  if (store.kind === "sqlite")
    return (await import("../stores/sqlite/backup.ts")).backup(store.path, to);
  const advice = {
    memory: "A book in memory cannot be backed up: use sqlite:PATH.",
    file: "A book of files is backed up by copying its folder while no daemon runs.",
    postgres: "A book in PostgreSQL is backed up with pg_dump.",
    own: "A book in a store of your own is backed up by that store.",
  };
  throw new DaybookError("unsupported", advice[store.kind]);
}
