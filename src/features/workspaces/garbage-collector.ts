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
  collect,
  nameOf,
  type ArchiveUnit,
  type Brake,
  type Orphans,
  listUnits,
} from "./garbage.ts";
import { isWorkspaceQueue, type WorkspaceKind, workspaceKind } from "./kind.ts";

export interface CollectingOptions {
  ledger: Ledger;
  archives: Archives;
}

/** What one round found and did. */
interface CollectedRound {
  /** All archives there are. */
  readonly units: number;
  readonly removed: readonly ArchiveUnit[];
  /** What was to go and could not; the next round tries it again. */
  readonly failed: readonly string[];
  /** Why nothing was removed although there was something to remove. */
  readonly braked: Brake | null;
  readonly orphans: Orphans;
}

/** What a round knows of those before it. */
interface CollectorMemory {
  readonly orphans: Orphans;
  /** The name under which this book keeps archives there; null: it never looked. */
  readonly book: string | null;
}

interface Round {
  readonly now: number;
  readonly memory: CollectorMemory;
  readonly signal: AbortSignal;
  readonly isConfirmed?: boolean;
  /** Says what would be done, and does nothing. */
  readonly isDry?: boolean;
}

export type Collector = (round: Round) => Promise<CollectedRound>;

const brakes: Readonly<Record<Brake, string>> = {
  many: "too many would go at once",
  foreign: "they are another book's",
};

/** Removes archives that nobody needs: after a while, never many at once, and none when anything could not be read. */
export function collector({ ledger, archives }: CollectingOptions): Collector {
  const isForeign = areForeign(archives);
  return async (round) => {
    const { memory, signal, isDry = false } = round;
    // Storage before the ledger: what is made in between is known to the ledger, and so no orphan.
    const units = await listUnits(archives, "archives/", signal);
    const foreign = await isForeign(memory.book, round);
    const workspaces = await everyWorkspace(ledger);
    const { remove, orphans, isBraked } = collect({
      ...round,
      units,
      workspaces,
      before: memory.orphans,
    });
    const braked: Brake | null = foreign ? "foreign" : isBraked ? "many" : null;
    const going = braked === null ? remove : [];
    const { removed, failed } = isDry
      ? { removed: going, failed: [] }
      : await all(archives, going, signal);
    return { units: units.length, removed, failed, braked, orphans };
  };
}

async function all(
  archives: Archives,
  units: readonly ArchiveUnit[],
  signal: AbortSignal,
): Promise<Pick<CollectedRound, "removed" | "failed">> {
  const removed: ArchiveUnit[] = [];
  const failed: string[] = [];
  for (const unit of units) {
    try {
      // What says what it is goes first: the rest is then no archive, however far this comes.
      await archives.remove(unit.keys.toReversed(), signal);
      removed.push(unit);
    } catch (error) {
      failed.push(`${nameOf(unit)}: ${messageOf(error)}`);
    }
  }
  return { removed, failed };
}

const pageSize = 500;

/** Of all owners and all places: also those that another node looks after keep their archives there. */
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

/** The same every two hours, on one node of all. */
export function collectArchives(collecting: Collector): Chore {
  return {
    name: choreName,
    everyMs: 2 * 60 * 60_000,
    async run(now, signal, { id, kept }) {
      const round = await collecting({
        now,
        signal,
        memory: { orphans: orphansIn(kept), book: id },
      }).catch(messageOf);
      // What cannot be seen is left alone; since when nobody needs it is known for the next round.
      if (typeof round === "string") return { did: `removed no archive: ${round}`, kept };
      const { units, removed, failed, braked, orphans } = round;
      const broke =
        failed.length === 0 ? "" : `; ${failed.length} could not be removed: ${failed[0] ?? ""}`;
      const why = braked === null ? "" : `; ${brakes[braked]} (daybook workspaces gc)`;
      return {
        did: `removed ${removed.length} of ${units} archives${broke}${why}`,
        kept: { orphans },
      };
    },
  };
}

/** What the rounds so far know, for somebody who asks between them. */
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

interface Input {
  readonly signal: AbortSignal;
  readonly isDry?: boolean;
  /** Somebody says that they are this book's, whatever is written there. */
  readonly isConfirmed?: boolean;
}

const key = "archives/book.txt";
const nameBytesMax = 200;

/**
 * A book that keeps its archives beside another's would take those for orphans. So the first to look writes its name
 * there, and no other removes anything. Answers whether they are another's.
 */
export function areForeign(
  archives: Archives,
): (book: string | null, request: Input) => Promise<boolean> {
  return async (book, { signal, isDry = false, isConfirmed = false }) => {
    const found = await nameIn(archives, signal);
    if (found === book) return false;
    if (found !== null && !isConfirmed) return true;
    if (book !== null && !isDry) await archives.put(key, one(book), signal);
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

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
