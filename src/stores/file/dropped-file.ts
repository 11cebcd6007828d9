import { lstatSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Draft } from "../../kernel/unit.ts";
import { hasCode } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { isAboutFile, type Looked, type OutsideDesk } from "./context.ts";
import type { Dropped, DropKind, Outside } from "./external.ts";
import { placeOf } from "./layouts.ts";
import { dropReasons } from "./quarantine-reasons.ts";
import { setAside } from "./quarantine.ts";
import { checkFile } from "./schemas.ts";
import { viewOf, type View } from "./seed-view.ts";

/** What lies in a `pending` folder and is not ours. */
export interface DropIn {
  readonly kind: DropKind;
  readonly place: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Makes a record of a dropped file. The append is the moment: before it the file is a drop, after it
 * the file is what shows the record, and whoever dies in between finds the same id, and the same body.
 */
export async function takeIn(desk: OutsideDesk, drop: DropIn): Promise<Looked> {
  const { root, onStep } = desk;
  try {
    const json = named(drop);
    const asked = await desk.outside.drop(drop.kind, json);
    const appended = await append(desk, asked);
    if (!appended.fresh) {
      if (appended.record !== null && !agrees(json, asked.draft, appended.record)) {
        setAside(root, drop.place, dropReasons.taken(appended.id));
      } else if (desk.shown.idAt(drop.place) === undefined) {
        rmSync(join(root, drop.place), { force: true });
      }
      return "done";
    }
    onStep("dropped");
    if (appended.record !== null) adopt(desk, drop.place, appended.record);
    return "done";
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    const isTaken = hasCode(error, "conflict");
    const reason = isTaken ? dropReasons.taken(String(error.details["id"])) : error.message;
    setAside(root, drop.place, reason);
    return "done";
  }
}

/** The file's content with an id: its own, or the file's name. */
function named({ kind, place, json }: DropIn): Dropped {
  const { id = basename(place, ".json") } = json;
  return checkFile(kind, { ...json, id });
}

type Asked = Awaited<ReturnType<Outside["drop"]>>;

interface Appended {
  readonly fresh: boolean;
  readonly id: string;
  readonly record: AnyRecord | null;
}

async function append({ ledger, outside }: OutsideDesk, asked: Asked): Promise<Appended> {
  const { draft, follows } = asked;
  const book = ledger.of(outside.who.owner, outside.who.by);
  return await book.append(draft, follows);
}

/** From now on the file is ours. Nothing was shown yet: that waits for a quiet moment. */
function adopt({ root, shown }: OutsideDesk, place: string, record: AnyRecord): void {
  const own = placeOf(record);
  if (own !== place) {
    const isOther = lstatSync(join(root, own), { throwIfNoEntry: false }) !== undefined;
    if (isOther && shown.idAt(own) === undefined) setAside(root, own, dropReasons.second);
    renameSync(join(root, place), join(root, own));
  }
  shown.set(record.id, own);
}

/** Whether all that a file says is what the record says: both as they would be shown. */
function agrees(
  json: View,
  { kind, body, priority = "normal" }: Draft,
  record: AnyRecord,
): boolean {
  if (kind !== record.kind) return false;
  const asked = viewOf({ ...record, body, priority }); // of the same kind
  const shown = viewOf(record);
  return Object.keys(json).every((name) => canonical(asked[name]) === canonical(shown[name]));
}
