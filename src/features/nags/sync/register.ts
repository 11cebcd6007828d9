import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import type { Installation, Caller, Context } from "../../../kernel/operation.ts";
import { allows } from "../../../kernel/scope.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote } from "../../../platform/text.ts";
import { checkZone } from "../../../time/zone.ts";
import { requestedAgain, staleWrite } from "../change.ts";
import { type Nag, nagOutcome } from "../kind.ts";
import { liveNagsOf, pageAt } from "../operations/pages.ts";
import { checkPageId, cutBody, cutTitle, makePage, pageEdit, pageRecordId } from "../page.ts";
import { freeSlotsFor } from "../quota.ts";
import { alarmIdOf, alarmDraft } from "./alarm.ts";
import { addChange, emptyUnit, writeUnit, type SyncUnit } from "./unit.ts";

/** A page to nag about, with its text where that is new. */
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

/** Makes the nag about a page due now, creating it if needed. An existing nag keeps its count. */
export async function registerByPage(
  installation: Installation,
  request: Registration,
  caller: Caller,
): Promise<Registered> {
  if (!allows(caller.scopes, "write")) {
    const sentence = 'This token may not register a page: use one with the scope "write".';
    throw new DaybookError("refused", sentence, { details: { scope: "write" } });
  }
  checkPageId(request.page_id);
  if (request.timezone !== undefined) checkZone(request.timezone);
  const profile = await installation.readProfile(caller.owner);
  const context: Context = { ...installation, ...caller, profile };
  return retryIfStale(() => register(request, context), triesMax);
}

/** The nag controller writes the same records and may win the race more than once. */
const triesMax = 20;

async function register(request: Registration, context: Context): Promise<Registered> {
  const { page_id: page, timezone } = request;
  const unit = emptyUnit();
  await putPage(unit, request, context);
  const before = await nagAbout(page, context);
  if (before === undefined) {
    const [quotaSlot] = await freeSlotsFor(1, context);
    unit.create.push(await alarmDraft({ page, timezone, quotaSlot }, context));
  } else {
    const again = { at: context.now(), atText: "now", zone: timezone };
    addChange(unit, requestedAgain(before, again, context.profile.quiet));
  }
  await writeUnit(bookOf(context), unit);
  const written = await nagAbout(page, context);
  if (written === undefined) throw staleWrite();
  return {
    success: true,
    id: alarmIdOf(written),
    next_alarm_time: isoOf(written.body.at), // as requested: it may be in the middle of its send by now
    sent_count: nagOutcome(written).count,
  };
}

async function putPage(unit: SyncUnit, request: Registration, context: Context): Promise<void> {
  const { page_id: pageId } = request;
  const title = request.title === undefined ? undefined : cutTitle(request.title);
  const body = request.body === undefined ? undefined : cutBody(request.body);
  const page = await pageAt(pageId, context);
  if (title === undefined && body === undefined) {
    if (page?.state !== "deleted") return; // an unknown page comes with the first sync
    const sentence = `The page ${quote(pageId)} was deleted: send its title or body to restore it.`;
    throw new DaybookError("not_found", sentence, { details: { page_id: pageId } });
  }
  if (page === undefined) unit.create.push(makePage(context.owner, { pageId, title, body }));
  else unit.edit.push(pageEdit(page, { title, body }));
}

/** The nag about a page, unless it is being deleted. */
async function nagAbout(pageId: string, context: Context): Promise<Nag | undefined> {
  const nags = await liveNagsOf(bookOf(context), pageRecordId(context.owner, pageId));
  return nags.find(({ cancelling }) => !cancelling);
}
