import { rmSync } from "node:fs";
import { join } from "node:path";
import { type FileWorker, fileHolder } from "../../kernel/files.ts";
import type { Claimed } from "../../kernel/record.ts";
import { lease } from "../memory/claim.ts";
import { type Model, unit } from "../memory/model.ts";
import { type Row, isClaimed, toClaimed, toRecord } from "../memory/row.ts";
import type { FolderContext, Progress } from "./folder-context.ts";
import { claimFilesAt, workerFilesOf, type Layouts } from "./layouts.ts";
import { quarantineReasons, quarantineFile } from "./quarantine.ts";
import { embeddedOf, isFree } from "./record-file.ts";

export function isHeldOverFiles(row: Row): boolean {
  return row.lease?.holder.startsWith(fileHolder) === true;
}

/** The worker that may claim the row over files now. */
export function workerOf(
  { external, layouts, now }: FolderContext,
  row: Row,
): FileWorker | undefined {
  if (!isClaimable(layouts, row, now())) return undefined;
  return external.actions.get(row.kind)?.work?.worker(toRecord(row));
}

export async function claimFor(
  context: FolderContext,
  row: Row,
  { name, leaseMs }: FileWorker,
): ReturnType<FolderContext["claim"]> {
  const claimed = await context.claim(row.id, `${fileHolder}${name}`, leaseMs);
  if (claimed === undefined) return undefined;
  context.held.add(row.id);
  context.onStep("taken");
  return claimed;
}

interface Claim {
  readonly id: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly now: number;
}

/** Claims one record by its id, for a worker that has its file. Undefined: it cannot be claimed. */
export function claimRecord(model: Model, layouts: Layouts, claim: Claim): Claimed | undefined {
  const { id, holder, leaseMs, now } = claim;
  const row = model.rows.get(id);
  if (row === undefined || !isClaimable(layouts, row, now)) return undefined;
  model.now = now;
  return unit(model, () => toClaimed(lease(model, row, { holder, leaseMs })));
}

function isClaimable(layouts: Layouts, row: Row, now: number): boolean {
  const { kind, state, wakeAt, cancelling } = row;
  if (state !== workerFilesOf(layouts, kind)?.state || isClaimed(row) || cancelling) return false;
  return wakeAt !== null && wakeAt <= now;
}

interface Moved {
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly row: Row;
}

/** Handles a record's file in another folder: a move of an unclaimed record's file claims the record. */
export async function handleMoved(context: FolderContext, moved: Moved): Promise<Progress> {
  const { path, json, row } = moved;
  if (context.isBehind(row.id)) return "retry";
  const embedded = embeddedOf(json);
  const files = claimFilesAt(context.layouts, path);
  const isClaim = files && (embedded === undefined || isFree(embedded, row, files.state));
  const worker = isClaim ? workerOf(context, row) : undefined;
  if (worker !== undefined && (await claimFor(context, row, worker)) !== undefined) {
    context.index.set(row.id, path);
    return "done";
  }
  moveBack(context, moved);
  return "done";
}

/** Writes the record's file in its folder again. A file that the store did not write goes to quarantine. */
function moveBack({ root, index, show }: FolderContext, { path, json, row }: Moved): void {
  if (index.pathOf(row.id) !== path) {
    if (embeddedOf(json) === undefined) quarantineFile(root, path, quarantineReasons.copy);
    else rmSync(join(root, path), { force: true });
  }
  show(row);
}
