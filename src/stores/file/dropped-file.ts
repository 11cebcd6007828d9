import { lstatSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DroppedFile, FileActions, FileView } from "../../kernel/files.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Draft } from "../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { isAboutFile, type FolderContext, type Progress } from "./context.ts";
import { layoutAt, pathOf, viewOf } from "./layouts.ts";
import { quarantineReasons, setAside } from "./quarantine.ts";

/** A file in a drop folder that is not ours. */
export interface Dropped {
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Makes a record of a dropped file. The append is the moment: before it the file is a drop, after it
 * the file is what shows the record, and whoever dies in between finds the same id, and the same body.
 */
export async function appendDropped(context: FolderContext, dropped: Dropped): Promise<Progress> {
  const { root, index, onStep, ledger, external } = context;
  const { path } = dropped;
  try {
    const content = withId(dropped);
    const { draft, consequences } = await dropOf(context, path)(content);
    const book = ledger.of(external.owner, external.by);
    const { fresh, id, record } = await book.append(draft, consequences);
    if (!fresh) {
      if (record !== null && !agrees(context, content, { draft, record })) {
        setAside(root, path, quarantineReasons.taken(id));
      } else if (index.idAt(path) === undefined) {
        rmSync(join(root, path), { force: true });
      }
      return "done";
    }
    onStep("dropped");
    if (record !== null) adopt(context, path, record);
    return "done";
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    const isTaken = hasCode(error, "conflict");
    const reason = isTaken ? quarantineReasons.taken(String(error.details["id"])) : error.message;
    setAside(root, path, reason);
    return "done";
  }
}

/** The file's content with an id: its own, or the file's name. */
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

/** From now on the file is ours. Nothing was shown yet: that waits for a quiet moment. */
function adopt({ root, layouts, index }: FolderContext, path: string, record: AnyRecord): void {
  const own = pathOf(layouts, record);
  if (own !== path) {
    const isOther = lstatSync(join(root, own), { throwIfNoEntry: false }) !== undefined;
    if (isOther && index.idAt(own) === undefined) setAside(root, own, quarantineReasons.second);
    renameSync(join(root, path), join(root, own));
  }
  index.set(record.id, own);
}

/** Whether all that a file says is what the record says: both as they would be shown. */
function agrees(
  { layouts }: FolderContext,
  content: FileView,
  { draft, record }: { draft: Draft; record: AnyRecord },
): boolean {
  const { kind, body, priority = "normal" } = draft;
  if (kind !== record.kind) return false;
  const wanted = viewOf(layouts, { ...record, body, priority });
  const shown = viewOf(layouts, record);
  return Object.keys(content).every((name) => canonical(wanted[name]) === canonical(shown[name]));
}
