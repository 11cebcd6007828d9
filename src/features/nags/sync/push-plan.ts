import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf, Wake } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { deleted, pageDeletion } from "../change.ts";
import { hasEnded, type Nag, type NagKind } from "../kind.ts";
import { marksOn } from "../operations/change-nag.ts";
import { cutTitle, makePage, pageEdit, type PageKind } from "../page.ts";
import { freeSlotsFor } from "../quota.ts";
import { alarmDraft, alarmIdOf, endedAlarm } from "./alarm.ts";
import type { PushedRecords } from "./pushed-records.ts";
import type { AlarmIn, ChangesIn, PageIn } from "./rows.ts";
import { addChange, emptyUnit, type SyncUnit } from "./unit.ts";

/** The unit that a push writes, and the records that it changes. */
export interface PushPlan {
  readonly unit: SyncUnit;
  /** By the path of their row in the push. */
  readonly changed: Map<string, LedgerRecord<PageKind | NagKind>>;
}

interface PushParts {
  readonly changes: ChangesIn;
  readonly pushed: PushedRecords;
  readonly context: Context;
}

/** Plans the full push before anything is written. An error names the path of its row. */
export async function planPush(parts: PushParts): Promise<PushPlan> {
  const plan: PushPlan = { unit: emptyUnit(), changed: new Map() };
  for (const [path, row] of rowsOf(parts.changes.page, "page")) upsertPage(plan, path, row, parts);
  await deletePages(plan, parts);
  await deleteAlarms(plan, parts);
  await createAlarms(plan, parts);
  return plan;
}

function rowsOf<Row>(
  { created, updated }: { created: readonly Row[]; updated: readonly Row[] },
  table: string,
): readonly (readonly [path: string, row: Row])[] {
  const at = (list: string, rows: readonly Row[]): (readonly [string, Row])[] =>
    rows.map((row, index) => [`changes.${table}.${list}.${index}`, row]);
  return [...at("created", created), ...at("updated", updated)];
}

function upsertPage(
  plan: PushPlan,
  path: string,
  row: PageIn,
  { pushed, context }: PushParts,
): void {
  const { id: pageId, body } = row;
  const title = row.title == null ? row.title : cutTitle(row.title);
  const page = pushed.pages.get(pageId);
  withPath(path, () => {
    if (page === undefined) {
      plan.unit.create.push(makePage(context.owner, { pageId, title, body }));
      plan.unit.wake.push(...nagsWaitingFor(pageId, pushed));
      return;
    }
    const edit = pageEdit(page, { title, body });
    const isSame = edit.body?.title === page.body.title && edit.body.body === page.body.body;
    if (isSame && page.state === "kept") return;
    plan.unit.edit.push(edit);
    plan.changed.set(path, page);
  });
}

/** A nag that was registered before its page waits for the text. */
function nagsWaitingFor(pageId: string, { nagsOf }: PushedRecords): Wake[] {
  return (nagsOf.get(pageId) ?? []).map(({ id }) => ({ id }));
}

async function deletePages(plan: PushPlan, { changes, pushed, context }: PushParts): Promise<void> {
  for (const [index, id] of changes.page.deleted.entries()) {
    const page = pushed.pages.get(id);
    if (page?.state !== "kept") continue;
    const nags = pushed.nagsOf.get(id) ?? [];
    addChange(plan.unit, pageDeletion(page, nags));
    plan.changed.set(`changes.page.deleted.${index}`, page);
    for (const nag of nags) await markCancelled(plan, nag, context);
  }
}

async function deleteAlarms(
  plan: PushPlan,
  { changes, pushed, context }: PushParts,
): Promise<void> {
  const withPage = new Set(changes.page.deleted);
  for (const [index, id] of changes.alarm.deleted.entries()) {
    const nag = pushed.alarms.get(id);
    if (nag === undefined || hasEnded(nag)) continue;
    const { about } = nag.body;
    if ("page" in about && withPage.has(about.page)) continue; // deleted with its page
    const { edit, consequences } = deleted(nag);
    // Frees its page for a nag that is created in the same unit.
    addChange(plan.unit, { edit: { ...edit, holds: [] }, consequences });
    plan.changed.set(`changes.alarm.deleted.${index}`, nag);
    await markCancelled(plan, nag, context);
  }
}

async function markCancelled(plan: PushPlan, nag: Nag, context: Context): Promise<void> {
  const marks = await marksOn(nag, ({ cancelled }) => cancelled, context);
  plan.unit.mark.push(...marks);
}

/** A client decides only that a nag exists; times and counts are the server's. */
async function createAlarms(plan: PushPlan, parts: PushParts): Promise<void> {
  const { changes, pushed, context } = parts;
  const fresh: { row: AlarmIn; others: readonly Nag[] }[] = [];
  const taken = new Set<string>();
  for (const [path, row] of rowsOf(changes.alarm, "alarm")) {
    const existing = pushed.alarms.get(row.id);
    if (existing !== undefined) {
      checkSamePage(path, row, existing);
      continue;
    }
    checkPage(path, row, parts);
    const others = pushed.nagsOf.get(row.page_id) ?? [];
    const isSecond = taken.has(row.page_id) || others.some((nag) => isKept(nag, changes));
    const isPageDeleted = changes.page.deleted.includes(row.page_id);
    taken.add(row.page_id);
    if (isSecond) await rejectAlarm(plan, row, "its page already has a nag", context);
    else if (isPageDeleted) await rejectAlarm(plan, row, "its page was deleted", context);
    else fresh.push({ row, others });
  }
  // A nag that replaces another one on its page takes over its slot.
  const count = fresh.filter(({ others }) => slotOf(others) === undefined).length;
  const slots = [...(await freeSlotsFor(count, context))];
  for (const { row, others } of fresh) {
    const request = { page: row.page_id, alarmId: row.id };
    const quotaSlot = slotOf(others) ?? slots.pop();
    takePage(plan, await alarmDraft({ ...request, quotaSlot }, context), others);
  }
}

function isKept(nag: Nag, { alarm }: ChangesIn): boolean {
  return !hasEnded(nag) && !alarm.deleted.includes(alarmIdOf(nag));
}

function slotOf(others: readonly Nag[]): number | undefined {
  return others.find(({ body }) => body.quotaSlot !== undefined)?.body.quotaSlot;
}

/** The client has this alarm already, so it is written as ended: the next pull then reports it as deleted. */
async function rejectAlarm(
  plan: PushPlan,
  row: AlarmIn,
  reason: string,
  context: Context,
): Promise<void> {
  const draft = await alarmDraft({ page: row.page_id, alarmId: row.id }, context);
  plan.unit.create.push(endedAlarm(draft, reason));
}

/** A unit creates before it edits, so a nag takes the hold of its page by an edit, after the others released it. */
function takePage(plan: PushPlan, draft: DraftOf<NagKind>, others: readonly Nag[]): void {
  if (others.length === 0) return void plan.unit.create.push(draft);
  const ending = others.filter((nag) => hasEnded(nag));
  const releases = ending.map(({ kind, id, revision: ifRevision }) => ({
    kind,
    id,
    ifRevision,
    holds: [],
  }));
  const { kind, id = "", holds = [] } = draft;
  plan.unit.create.push({ ...draft, holds: [] });
  plan.unit.edit.push(...releases, { kind, id, ifRevision: 1, holds });
}

function checkSamePage(path: string, row: AlarmIn, { body }: Nag): void {
  if ("page" in body.about && body.about.page === row.page_id) return;
  throw wrong(
    `${path}.page_id`,
    "is not the page of this alarm: delete the alarm and create another one",
  );
}

function checkPage(path: string, row: AlarmIn, { changes, pushed }: PushParts): void {
  const rows = [...changes.page.created, ...changes.page.updated];
  const isPushed = rows.some(({ id }) => id === row.page_id);
  if (isPushed || pushed.pages.get(row.page_id)?.state === "kept") return;
  if (changes.page.deleted.includes(row.page_id)) return;
  throw wrong(`${path}.page_id`, `is an unknown page: push the page ${quote(row.page_id)} too`);
}

/** Adds the path of a row to the error of a rule. */
function withPath(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    throw wrong(path, `is not valid: ${error.message.replace(/\.$/, "")}`, error);
  }
}

export function wrong(path: string, text: string, cause?: DaybookError): DaybookError {
  const sentence = `"${path}" ${text}`;
  return new DaybookError("invalid", `${sentence}.`, {
    details: { problems: [{ path, text: sentence }] },
    cause,
  });
}
