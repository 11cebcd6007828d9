import { renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DroppedFile, FileActions, FileView } from "../../kernel/files.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Appended, Consequences, Draft } from "../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { exists } from "./atomic-file.ts";
import type { FolderContext, Progress } from "./folder-context.ts";
import { layoutAt, pathOf, viewOf } from "./layouts.ts";
import { quarantineReasons, quarantineFile } from "./quarantine.ts";

/** A file in a drop folder that the store did not write. */
export interface Dropped {
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Appends a record for a dropped file. Before the append the file is a drop, after it the record's own file. After a
 * crash between them, the next start finds the same id and the same body.
 */
export async function appendDropped(context: FolderContext, dropped: Dropped): Promise<Progress> {
  const { root, onStep } = context;
  const { path } = dropped;
  const content = withId(dropped);
  const { draft, consequences } = await dropOf(context, path)(content);
  const { fresh, id, record } = await appended(context, draft, consequences);
  if (!fresh) {
    const isSame = record === null || matches(context, content, { draft, record });
    // A crash left the record's own drop after its commit.
    if (isSame && context.unshown.delete(id)) {
      rmSync(join(root, path), { force: true });
      return "done";
    }
    const reason = isSame ? quarantineReasons.again(id) : quarantineReasons.taken(id);
    quarantineFile(root, path, reason);
    return "done";
  }
  onStep("dropped");
  if (record !== null) adopt(context, path, record);
  return "done";
}

/** Appends in the book of the files' owner. An id that is taken is an error that says so. */
async function appended(
  { ledger, external }: FolderContext,
  draft: Draft,
  consequences: Consequences | undefined,
): Promise<Appended> {
  try {
    return await ledger.of(external.owner, external.by).append(draft, consequences);
  } catch (error) {
    if (!hasCode(error, "conflict")) throw error;
    throw new DaybookError("conflict", quarantineReasons.taken(String(error.details["id"])));
  }
}

/** The content with an id: its own, or the file's name. */
function withId({ path, json }: Dropped): DroppedFile {
  const { id = basename(path, ".json") } = json;
  return { ...json, id };
}

function dropOf(
  { layouts, external }: FolderContext,
  path: string,
): NonNullable<FileActions["drop"]> {
  const kind = layoutAt(layouts, path)?.kind.name ?? "";
  const drop = external.actions.get(kind)?.drop;
  if (drop === undefined) throw new DaybookError("unsupported", quarantineReasons.unread);
  return drop;
}

/** Makes the file the record's own. The projector writes its content later. */
function adopt({ root, layouts, index }: FolderContext, path: string, record: AnyRecord): void {
  const own = pathOf(layouts, record);
  if (own !== path) {
    const isOccupied = exists(join(root, own));
    if (isOccupied && index.idAt(own) === undefined)
      quarantineFile(root, own, quarantineReasons.second);
    renameSync(join(root, path), join(root, own));
  }
  index.set(record.id, own);
}

/** Whether all fields of a file equal those of the record's view. */
function matches(
  { layouts }: FolderContext,
  content: FileView,
  { draft, record }: { draft: Draft; record: AnyRecord },
): boolean {
  const { kind, body, priority = "normal" } = draft;
  if (kind !== record.kind) return false;
  const wanted = viewOf(layouts, { ...record, body, priority });
  const actual = viewOf(layouts, record);
  return Object.keys(content).every((name) => canonical(wanted[name]) === canonical(actual[name]));
}
