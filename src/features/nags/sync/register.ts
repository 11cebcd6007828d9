import { recordsIn } from "../../../kernel/list-all.ts";
import type { Installation, Caller, Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { allows } from "../../../kernel/scope.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote } from "../../../platform/text.ts";
import { checkZone } from "../../../time/zone.ts";
import { requestedAgain } from "../change.ts";
import { nagOutcome, type NagKind, nagKind } from "../kind.ts";
import { pageAt, type Page } from "../operations/pages.ts";
import { checkPageId, makePage, pageEdit, pageRecordId } from "../page.ts";
import { freeSlotsFor } from "../quota.ts";
import { alarmIdOf, alarmDraft } from "./alarm.ts";
import { addChange, emptyUnit, writeUnit, type SyncUnit } from "./unit.ts";

/** A page that is to be said until it is done, with its words where they are new. */
export interface Registration {
  readonly page_id: string;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly timezone?: string | undefined;
}

export interface Registered {
  readonly success: true;
  readonly id: string;
  readonly next_alarm_time: string;
  readonly sent_count: number;
}

/** Due now, whether it was asked before or not; what was said of it stays counted. */
export async function registerByPage(
  installation: Installation,
  request: Registration,
  caller: Caller,
): Promise<Registered> {
  if (!allows(caller.scopes, "write")) {
    const sentence = 'This token may not register a page: it needs the scope "write".';
    throw new DaybookError("refused", sentence, { details: { scope: "write" } });
  }
  checkPageId(request.page_id);
  if (request.timezone !== undefined) checkZone(request.timezone);
  const profile = await installation.readProfile(caller.owner);
  const context: Context = { ...installation, ...caller, profile };
  return untilFresh(() => register(request, context), triesMax);
}

/** Its controller writes too, and may come between more than once. */
const triesMax = 20;

async function register(request: Registration, context: Context): Promise<Registered> {
  const book = bookOf(context);
  const unit = emptyUnit();
  putPage(unit, request, await pageAt(book, context.owner, request.page_id), context);
  const before = await nagOf(request.page_id, context);
  if (before === undefined) {
    const { page_id: page, timezone } = request;
    const [place] = await freeSlotsFor(1, context);
    unit.make.push(await alarmDraft({ page, timezone, quotaSlot: place }, context));
  } else {
    const { timezone } = request;
    const now = { at: context.now(), atText: "now" };
    const zone = timezone === undefined ? {} : { zone: timezone };
    addChange(unit, requestedAgain(before, { ...now, ...zone }, context.profile.quiet));
  }
  await writeUnit(book, unit);
  const written = await nagOf(request.page_id, context);
  if (written === undefined)
    throw new DaybookError("stale", "It was deleted meanwhile: ask again.");
  return {
    success: true,
    id: alarmIdOf(written),
    next_alarm_time: isoOf(written.body.at), // as asked: by now it may be on its way
    sent_count: nagOutcome(written).count,
  };
}

function putPage(
  unit: SyncUnit,
  { page_id: pageId, title, body }: Registration,
  page: Page | undefined,
  { owner }: Context,
): void {
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
  };
  const isGiven = title !== undefined || body !== undefined;
  if (page?.state !== "kept" && !isGiven) {
    const sentence = `There is no page ${quote(pageId)}: send its title or body with it.`;
    throw new DaybookError("not_found", sentence, { details: { page_id: pageId } });
  }
  if (page === undefined) {
    unit.make.push(makePage(owner, { pageId, title: "", body: "", ...words }));
  } else if (isGiven) {
    unit.edit.push(pageEdit(page, words));
  }
}

/** The one that is said of the page; one that is being deleted is none any more. */
async function nagOf(pageId: string, context: Context): Promise<LedgerRecord<NagKind> | undefined> {
  const parent = pageRecordId(context.owner, pageId);
  for await (const nag of recordsIn(bookOf(context), { kind: nagKind, parent, live: true })) {
    if (!nag.cancelling) return nag;
  }
  return undefined;
}
