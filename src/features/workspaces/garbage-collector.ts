import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { readAll } from "../../platform/byte-stream.ts";
import { messageOf, hasCode } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { type Chore, choreKind, systemOwner } from "../nodes/index.ts";
import type { Archives } from "./archives.ts";
import {
  garbageIn,
  nameOf,
  type ArchiveUnit,
  type Brake,
  type LeftPart,
  type Orphans,
  leftParts,
  listUnits,
} from "./garbage.ts";
import { isWorkspaceQueue, type WorkspaceKind, workspaceKind } from "./kind.ts";

interface CollectorOptions {
  ledger: Ledger;
  archives: Archives;
}

/** The result of one round. */
interface CollectedRound {
  /** The number of all archives. */
  readonly units: number;
  readonly removed: readonly ArchiveUnit[];
  /** Archives that could not be removed; the next round retries them. */
  readonly failed: readonly string[];
  /** Why nothing was removed although there were orphans. */
  readonly braked: Brake | null;
  readonly orphans: Orphans;
  readonly parts: readonly LeftPart[];
}

/** What earlier rounds recorded. */
interface CollectorMemory {
  readonly orphans: Orphans;
  /** The name of this book in its archives; null: no round has run yet. */
  readonly book: string | null;
}

interface Round {
  readonly now: number;
  readonly memory: CollectorMemory;
  readonly signal: AbortSignal;
  readonly isConfirmed?: boolean;
  /** Reports what would be removed, and removes nothing. */
  readonly isDry?: boolean;
}

export type Collector = (round: Round) => Promise<CollectedRound>;

const brakes: Readonly<Record<Brake, string>> = {
  many: "too many would be removed at once",
  foreign: "they belong to another book",
};

/** Removes archives that no workspace needs: after a while, never many at once, and none if anything could not be read. */
export function collector({ ledger, archives }: CollectorOptions): Collector {
  const isForeign = foreignArchives(archives);
  return async (round) => {
    const { memory, signal, isDry = false } = round;
    // Storage is read before the ledger, which knows every archive that is made in between.
    const units = await listUnits(archives, "archives/", signal);
    const foreign = await isForeign(memory.book, round);
    const workspaces = await everyWorkspace(ledger);
    const { remove, orphans, isBraked } = garbageIn({
      ...round,
      units,
      workspaces,
      before: memory.orphans,
    });
    const braked: Brake | null = foreign ? "foreign" : isBraked ? "many" : null;
    const removable = braked === null ? remove : [];
    const { removed, failed } = isDry
      ? { removed: removable, failed: [] }
      : await removeAll(archives, removable, signal);
    const parts = leftParts((await archives.parts?.list(signal)) ?? [], round.now);
    if (!isDry && braked === null) await removeParts(archives, parts, signal);
    return { units: units.length, removed, failed, braked, orphans, parts };
  };
}

async function removeParts(
  { parts: stored }: Archives,
  parts: readonly LeftPart[],
  signal: AbortSignal,
): Promise<void> {
  const names = parts.filter(({ isOld }) => isOld).map(({ name }) => name);
  if (names.length > 0) await stored?.remove(names, signal);
}

async function removeAll(
  archives: Archives,
  units: readonly ArchiveUnit[],
  signal: AbortSignal,
): Promise<Pick<CollectedRound, "removed" | "failed">> {
  const removed: ArchiveUnit[] = [];
  const failed: string[] = [];
  for (const unit of units) {
    try {
      // The meta object goes first: without it, the rest is not an archive, even if the removal is cut off.
      await archives.remove(unit.keys.toReversed(), signal);
      removed.push(unit);
    } catch (error) {
      failed.push(`${nameOf(unit)}: ${messageOf(error)}`);
    }
  }
  return { removed, failed };
}

const pageSize = 500;

/** Of all owners and all locations: workspaces of other nodes keep archives there too. */
async function everyWorkspace(ledger: Ledger): Promise<readonly LedgerRecord<WorkspaceKind>[]> {
  const found: LedgerRecord<WorkspaceKind>[] = [];
  const { queues } = await ledger.work.stats();
  for (const { queue } of queues.filter((each) => isWorkspaceQueue(each.queue))) {
    for (let after: string | null | undefined; after !== null;) {
      const page = await ledger.work.inQueue({ queue, after, limit: pageSize });
      found.push(...page.records.filter((record) => is(workspaceKind, record)));
      after = page.next;
    }
  }
  return found;
}

const choreName = "collect-archives";

/** Collects every two hours, on one of the nodes. */
export function collectArchives(collect: Collector): Chore {
  return {
    name: choreName,
    everyMs: 2 * 60 * 60_000,
    async run(now, signal, { id, kept }) {
      const round = await collect({
        now,
        signal,
        memory: { orphans: orphansIn(kept), book: id },
      }).catch(messageOf);
      // An unreachable storage is left alone, and the orphans so far are kept for the next round.
      if (typeof round === "string") return { did: `removed no archive: ${round}`, kept };
      const { units, removed, failed, braked, orphans, parts } = round;
      const old = braked !== null ? 0 : parts.filter(({ isOld }) => isOld).length;
      const failures =
        failed.length === 0 ? "" : `; ${failed.length} could not be removed: ${failed[0] ?? ""}`;
      const why = braked === null ? "" : `; ${brakes[braked]} (daybook workspace gc)`;
      return {
        did: `removed ${removed.length} of ${units} archives${old === 0 ? "" : ` and ${old} unfinished`}${failures}${why}`,
        kept: { orphans },
      };
    },
  };
}

/** What the rounds so far recorded, for a request between them. */
export async function collectorMemory(ledger: Ledger): Promise<CollectorMemory> {
  const book = ledger.of(systemOwner, systemOwner);
  for await (const { id, body, outcome } of recordsIn(book, { kind: choreKind, live: true })) {
    if (body.name !== choreName) continue;
    return { orphans: orphansIn(outcome?.kept ?? null), book: id };
  }
  return { orphans: {}, book: null };
}

function orphansIn(kept: Json): Orphans {
  return ((kept ?? {}) as { orphans?: Orphans }).orphans ?? {};
}

const key = "archives/book.txt";
const nameBytesMax = 200;

/**
 * Whether the archives belong to another book, which would take them for orphans. So the first book writes its name
 * there, and no other removes anything until a person confirms that the archives are its own.
 */
export function foreignArchives(
  archives: Archives,
): (
  book: string | null,
  round: Pick<Round, "signal" | "isDry" | "isConfirmed">,
) => Promise<boolean> {
  return async (book, { signal, isDry = false, isConfirmed = false }) => {
    const found = await nameIn(archives, signal);
    if (found === book) return false;
    if (found !== null && !isConfirmed) return true;
    if (book !== null && !isDry) await archives.put(key, bytesOf(book), signal);
    return false;
  };
}

async function nameIn(archives: Archives, signal: AbortSignal): Promise<string | null> {
  try {
    return (await readAll(await archives.get(key, signal), nameBytesMax)).toString("utf8").trim();
  } catch (error) {
    if (hasCode(error, "not_found")) return null;
    throw error;
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
