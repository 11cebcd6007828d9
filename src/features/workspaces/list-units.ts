import type { Archives } from "./archives.ts";
import type { ArchiveUnit } from "./garbage.ts";

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
