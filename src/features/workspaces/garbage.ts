import type { LedgerRecord } from "../../kernel/record.ts";
import { type ArchivePart, type Archives, unitPrefix } from "./archives.ts";
import type { WorkspaceKind } from "./kind.ts";

/** An archive and the objects beside it. */
export interface ArchiveUnit {
  readonly workspaceId: string;
  readonly opId: string;
  readonly keys: readonly string[];
  readonly size: number;
}

/** Since when an archive is an orphan, by the prefix of its unit. */
export type Orphans = Readonly<Record<string, number>>;

export interface Garbage {
  readonly remove: readonly ArchiveUnit[];
  readonly orphans: Orphans;
  /** So many would be removed at once that a person must confirm it: none is removed. */
  readonly isBraked: boolean;
}

/** An unfinished archive, which a killed write left once nothing was written to it for as long. */
export interface LeftPart extends ArchivePart {
  readonly isOld: boolean;
}

export function leftParts(parts: readonly ArchivePart[], now: number): readonly LeftPart[] {
  return parts.map((part) => ({ ...part, isOld: now - part.writtenAt >= orphanMsMin }));
}

/** Why a person must confirm a removal: it is of many archives at once, or of archives of another book. */
export type Brake = "many" | "foreign";

/** Longer than the longest operation with all its retries. */
export const orphanMsMin = 2 * 60 * 60_000;
const removedMin = 3;
const removedShare = 0.1;

interface Storage {
  /** Listed before the workspaces were read, so that an archive made since is not an orphan. */
  readonly units: readonly ArchiveUnit[];
  /** All live workspaces. */
  readonly workspaces: readonly Pick<LedgerRecord<WorkspaceKind>, "id" | "body" | "outcome">[];
  readonly before: Orphans;
  readonly now: number;
  readonly isConfirmed?: boolean;
}

/** The archives that no workspace needs, and those of them that have been orphans for long enough. */
export function garbageIn({
  units,
  workspaces,
  before,
  now,
  isConfirmed = false,
}: Storage): Garbage {
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

/** The archive that replaces its volume, and the one that is being made. A deleted workspace needs none. */
function unitsOf({ id, body, outcome }: Storage["workspaces"][number]): readonly string[] {
  if (body.deletedAt !== null || outcome === null) return [];
  const { archiveKey, opId } = outcome;
  return [
    ...(archiveKey === null ? [] : [archiveKey.slice(0, archiveKey.lastIndexOf("/") + 1)]),
    ...(opId === null ? [] : [unitPrefix(id, opId)]),
  ];
}

const keyForm = /^archives\/([^/]+)\/([^/]+)\/home\.tar\.(?:zst|gz)(?:\.meta)?$/;

/** Every archive under a prefix, as a unit with the objects beside it. Keys of another form are left out. */
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
