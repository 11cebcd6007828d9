import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import type { Language } from "../../platform/language.ts";
import type { NotificationKind } from "../notifications/index.ts";
import { type Acted, actOn, asDaybookError, type Done, type Planned } from "./act.ts";
import { adopted, adoptedId, refusalOf } from "./adopt.ts";
import { type Braked, brakeFor, isDrastic } from "./brake.ts";
import { type Busy, busyAfter } from "./busy.ts";
import { canFlowBack } from "./flow-back.ts";
import { type CalendarKind, entryId, isEntryOf, type PassCounts } from "./kind.ts";
import { planEntry, type Step } from "./plan.ts";
import type { CalendarConnector } from "./ports.ts";
import type { Style } from "./projection.ts";
import { type Item, readDesired, type Sighted, sighted } from "./reading.ts";
import { checkedFlow } from "./refused-edits.ts";
import type { CalendarService, RemoteChanges, RemoteEntry } from "./service.ts";

export type CalendarRecord = Claimed<CalendarKind>;

/** Where reading continues: kept in the record, and in memory while nothing is written. */
export interface Position {
  readonly cursor: string | null;
  readonly token: string | null;
  readonly listedAt: number | null;
}

/** What one pass saw and did. */
export interface PassSeen {
  readonly saw: "pass";
  /** The number of the last request that it began after. */
  readonly asked: number;
  readonly position: Position;
  readonly done: readonly Done[];
  /** Entries by hand that become notifications. */
  readonly adopted: readonly Adopted[];
  readonly counts: PassCounts;
  /** Nothing was left for the next pass. */
  readonly isComplete: boolean;
  readonly brake: Braked | null;
  readonly busy: Busy;
  readonly failure: DaybookError | null;
  readonly profile: Profile;
  readonly leaving: CalendarKind["body"]["leaving"];
  /** The service listed entries of ours: the stored token is older than they are. */
  readonly sawOurs: boolean;
  /** Much of the feed was read since its place was written down. */
  readonly isOverdue?: boolean;
}

/** The service could not be read, so nothing is known. */
export interface Unread {
  readonly saw: "unreachable";
  readonly error: DaybookError;
  readonly language: Language;
}

export interface Adopted {
  readonly entry: RemoteEntry;
  readonly draft: DraftOf<NotificationKind>;
}

export interface PassOptions {
  readonly ledger: Ledger;
  /** The most entries that one pass writes; the next follows at once. */
  readonly writesMax: number;
  /** How many at once. */
  readonly atOnce: number;
}

interface PassInput {
  readonly record: CalendarRecord;
  readonly position: Position;
  readonly connector: Pick<CalendarConnector, "mirrorsRecords">;
  readonly service: CalendarService;
  readonly profile: Profile;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Everything is listed at least this often, so that nothing stays wrong for ever. */
const listEveryMs = 24 * 3_600_000;

/** What a pass would do: the book and the service as they are, and a step for each entry. */
export interface Plan {
  readonly planned: readonly Planned[];
  readonly brake: Braked | null;
  readonly changes: RemoteChanges;
  readonly sighted: Sighted;
}

export function styleOf(
  { body }: Pick<CalendarRecord, "body">,
  profile: Pick<Profile, "zone">,
  mirrors: boolean,
): Style {
  const { entries, shows, ended } = body;
  return { zone: entries.zone ?? profile.zone, minutes: entries.minutes, shows, ended, mirrors };
}

/** Reads the book and the service, and plans. Writes nothing. An error of the service is an answer, one of the book is thrown. */
export async function planPass(book: Book, input: PassInput): Promise<Plan | Unread> {
  const { record, position, connector, service, profile, now, signal } = input;
  const mirrors = connector.mirrorsRecords === true;
  const desired = await readDesired(book, record, styleOf(record, profile, mirrors));
  const isDoubtful = [...desired.items.values()].some(
    ({ entry }) => entry?.missingSince !== undefined,
  );
  const isOld = now - (position.listedAt ?? 0) >= listEveryMs;
  const isFullList = isDoubtful || isOld || record.body.leaving !== undefined;
  const changes = await service
    .changes(isFullList ? null : position.token, signal)
    .catch((error: unknown) => ({ error: asDaybookError(error) }));
  if ("error" in changes) {
    return { saw: "unreachable", error: changes.error, language: profile.language };
  }
  const facts = { book, calendar: record, isDeletionCertain: !mirrors };
  const all = await sighted(desired, changes, facts);
  const planned = all.items.map((item) => ({ item, step: stepOf(item, record, now) }));
  const { confirmed, leaving } = record.body;
  const isConfirmed = confirmed !== undefined && confirmed.asked > (record.outcome?.asked ?? -1);
  const brake =
    leaving === undefined
      ? brakeFor(
          planned.map(({ step }) => step),
          desired.count,
          isConfirmed ? confirmed.removals : 0,
        )
      : null;
  return { planned, brake, changes, sighted: all };
}

/** Changes in the calendar change notifications alone: all else is as the book has it. */
function stepOf(item: Item, { body }: CalendarRecord, now: number): Step {
  if (body.leaving === "keep") {
    const { location = null, content = null } = item.entry ?? {};
    return { do: "note", location, content, ends: "kept" };
  }
  return planEntry(item, { edits: body.editsFlowBack && canFlowBack(item.source), now });
}

/** One pass: reads, plans, and does what fits into one settle. */
export async function pass(options: PassOptions, input: PassInput): Promise<PassSeen | Unread> {
  const { record, position, service, now, signal, profile } = input;
  const book = options.ledger.of(record.owner, record.by);
  const plan = await planPass(book, input);
  if ("saw" in plan) return plan;
  const { planned, brake, changes, sighted: all } = plan;
  const wanted = planned.filter(({ step }) => step.do !== "nothing");
  const allowed = wanted.filter(({ step }) => step.do !== "wait" && !(brake && isDrastic(step)));
  const chosen = allowed.slice(0, options.writesMax);
  const replan = (item: Item): Step => stepOf(item, record, now);
  const acted = await actOn(chosen, { service, replan, now, atOnce: options.atOnce, signal });
  const hands = await byHand(all.foreign, book, input);
  const succeeded = new Set(
    acted.done.filter(({ failure }) => failure === undefined).map(({ item }) => item.id),
  );
  // A change at the service that was not acted on is read again: the token stays.
  const isBehind = wanted.some(
    ({ item, step }) =>
      item.sight.seen !== "unlisted" && step.do !== "doubt" && !succeeded.has(item.id),
  );
  const isComplete = acted.failure === null && !signal.aborted && chosen.length === allowed.length;
  return {
    saw: "pass",
    asked: record.body.asked,
    position: {
      cursor: position.cursor,
      token: isBehind || hands.isBehind ? position.token : changes.token,
      listedAt: changes.isComplete && !isBehind ? now : position.listedAt,
    },
    done: acted.done.map((each) => checkedFlow(each, record, profile)),
    adopted: hands.adopted,
    counts: countsOf(acted, planned),
    isComplete: isComplete && !hands.isBehind,
    brake,
    busy: record.body.isBusy
      ? busyAfter(record.outcome?.busy ?? [], changes, all.foreign, now)
      : [],
    failure: signal.aborted ? null : acted.failure,
    profile,
    leaving: record.body.leaving,
    sawOurs: changes.entries.some(({ id }) => isEntryOf(record.id, id)),
  };
}

/** The most entries by hand that one pass takes over. */
const adoptedMax = 50;

/** In a mirror, somebody else's entry becomes a notification, or is told why it cannot. */
async function byHand(
  foreign: readonly RemoteEntry[],
  book: Book,
  { record, connector, service, profile, signal }: PassInput,
): Promise<{ adopted: readonly Adopted[]; isBehind: boolean }> {
  const { body, id: calendar, owner } = record;
  const takes =
    connector.mirrorsRecords === true && body.editsFlowBack && body.leaving === undefined;
  if (!takes) return { adopted: [], isBehind: false };
  const found: Adopted[] = [];
  for (const entry of foreign) {
    const { location, content, problem } = entry;
    if (found.length === adoptedMax || signal.aborted) return { adopted: found, isBehind: true };
    if (problem !== undefined) await service.refuse?.(location, problem, signal);
    // Its notification exists: the entry with our id is being written.
    if (content === null || content.isDone === true) continue;
    const { remoteId } = location;
    if ((await book.get(entryId(calendar, adoptedId(calendar, remoteId)))) !== undefined) continue;
    try {
      const options = { calendar, remoteId, owner, home: profile.home };
      found.push({ entry, draft: adopted(content, options) });
    } catch (error) {
      await service.refuse?.(location, refusalOf(error), signal);
    }
  }
  return { adopted: found, isBehind: false };
}

function countsOf({ done }: Acted, planned: readonly Planned[]): PassCounts {
  const good = done.filter(({ failure }) => failure === undefined);
  const count = (matches: (step: Step) => boolean): number =>
    good.filter(({ step }) => matches(step)).length;
  return {
    created: count((step) => step.do === "put" && step.known === null),
    updated: count((step) => step.do === "put" && step.known !== null),
    deleted: count((step) => step.do === "remove"),
    unchanged: planned.filter(
      ({ item, step }) => step.do === "nothing" && item.entry?.location != null,
    ).length,
    failed: done.length - good.length,
  };
}

/** Whether a pass has found everything as it should be, so that nothing need be written. */
export function isConverged(seen: PassSeen, { body, outcome }: CalendarRecord): boolean {
  const hasActed = seen.done.length > 0 || seen.adopted.length > 0 || !seen.isComplete;
  const isLeaving = seen.leaving !== undefined || body.leaving !== undefined;
  if (hasActed || isLeaving || seen.failure !== null || seen.isOverdue === true) return false;
  return outcome !== null && isNoted(seen, outcome);
}

/** Everything that the pass saw is written down already. */
function isNoted(seen: PassSeen, outcome: CalendarKind["outcome"]): boolean {
  const isSettled =
    outcome.soFar === null && outcome.failures === 0 && outcome.asked === seen.asked;
  const isSame =
    canonical(outcome.brake) === canonical(seen.brake) &&
    canonical(outcome.busy) === canonical(seen.busy);
  // From a token older than an entry, a service need not tell that the entry was removed since (RFC 6578).
  const isTokenNew = !seen.sawOurs || seen.position.token === outcome.token;
  // A list of everything is written down once a day.
  const listedAgo = (seen.position.listedAt ?? 0) - (outcome.listedAt ?? 0);
  return isSettled && isSame && isTokenNew && listedAgo < listEveryMs;
}
