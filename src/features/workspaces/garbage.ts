import type { LedgerRecord } from "../../kernel/record.ts";
import { type Archives, unitPrefix } from "./archives.ts";
import type { WorkspaceKind } from "./kind.ts";

/** An archive with what is written beside it. */
export interface ArchiveUnit {
  readonly workspaceId: string;
  readonly opId: string;
  readonly keys: readonly string[];
  readonly size: number;
}

/** Since when nobody needs an archive, by the unit's prefix. */
export type Orphans = Readonly<Record<string, number>>;

export interface Collected {
  readonly remove: readonly ArchiveUnit[];
  readonly orphans: Orphans;
  /** So many would have to go at once that somebody must confirm it: none goes. */
  readonly isBraked: boolean;
}

/** Why nothing is removed until somebody confirms it: it would be many at once, or the archives are another book's. */
export type Brake = "many" | "foreign";

/** Longer than the longest operation with all its retries. */
export const orphanMsMin = 2 * 60 * 60_000;
const removedMin = 3;
const removedShare = 0.1;

interface Collecting {
  /** As storage listed them, before the workspaces were read: what was made since is no orphan. */
  readonly units: readonly ArchiveUnit[];
  /** All that live. */
  readonly workspaces: readonly Pick<LedgerRecord<WorkspaceKind>, "id" | "body" | "outcome">[];
  readonly before: Orphans;
  readonly now: number;
  readonly isConfirmed?: boolean;
}

/** Which archives nobody needs any more, and which of them have been so for long enough. */
export function collect({
  units,
  workspaces,
  before,
  now,
  isConfirmed = false,
}: Collecting): Collected {
  const needed = new Set(workspaces.flatMap(unitsOf));
  const idle = units.filter((unit) => !needed.has(nameOf(unit)));
  const orphans = Object.fromEntries(
    idle.map((unit) => [nameOf(unit), before[nameOf(unit)] ?? now]),
  );
  const old = idle.filter((unit) => now - (orphans[nameOf(unit)] ?? now) >= orphanMsMin);
  const isMany = old.length > Math.max(removedMin, units.length * removedShare);
  const isBraked = isMany && !isConfirmed;
  return { remove: isBraked ? [] : old, orphans, isBraked };
}

export function nameOf({ workspaceId, opId }: Pick<ArchiveUnit, "workspaceId" | "opId">): string {
  return unitPrefix(workspaceId, opId);
}

/** The archive that stands for its volume, and the one that is being made. What was deleted needs none. */
function unitsOf({ id, body, outcome }: Collecting["workspaces"][number]): readonly string[] {
  if (body.deletedAt !== null || outcome === null) return [];
  const { archiveKey, opId } = outcome;
  return [
    ...(archiveKey === null ? [] : [archiveKey.slice(0, archiveKey.lastIndexOf("/") + 1)]),
    ...(opId === null ? [] : [unitPrefix(id, opId)]),
  ];
}

const keyForm = /^archives\/([^/]+)\/([^/]+)\/home\.tar\.(?:zst|gz)(?:\.meta)?$/;

/** Every archive under a prefix, with what belongs to it as one. What does not look like ours is not in it. */
export async function listUnits(
  archives: Archives,
  prefix: string,
  signal: AbortSignal,
): Promise<ArchiveUnit[]> {
  const units = new Map<string, ArchiveUnit>();
  for await (const { key, size } of archives.list(prefix, signal)) {
    const [, workspaceId, opId] = keyForm.exec(key) ?? [];
    if (workspaceId === undefined || opId === undefined) continue;
    const name = `${workspaceId}/${opId}`;
    const unit = units.get(name) ?? { workspaceId, opId, keys: [], size: 0 };
    units.set(name, { ...unit, keys: [...unit.keys, key].toSorted(), size: unit.size + size });
  }
  return [...units.values()];
}
