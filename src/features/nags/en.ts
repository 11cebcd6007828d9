import type { Language } from "../../platform/language.ts";
import { span } from "../../time/times.ts";
import { unitMs, type Curve, type Distance } from "./curve.ts";

/** "5 min". */
export function lengthOf({ count, unit }: Distance, language: Language): string {
  return span(count * unitMs[unit], language);
}

function curveText({ base, factor, cap, ...rest }: Curve): string {
  const [first, last] = [lengthOf(base, "en"), lengthOf(cap, "en")];
  const { sleep, weekdays, wholeHours, countMax, jitter = 0, escalate } = rest;
  return [
    factor === 1
      ? `every ${first}`
      : `${first} apart at first, then ${factor} times as far each time, up to ${last}`,
    ...(wholeHours === true ? ["on the hour"] : []),
    ...(weekdays === true ? ["on weekdays"] : []),
    ...(sleep === undefined ? [] : [`not from ${sleep.from} to ${sleep.to}`]),
    ...(jitter === 0 ? [] : [`up to ${Math.round(jitter * 100)}% earlier at random`]),
    ...(countMax === undefined ? [] : [`at most ${countMax} times`]),
    ...(escalate === undefined
      ? []
      : [`also to ${escalate.target} from message ${escalate.after} on`]),
  ].join(", ");
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

export const en = {
  nagCreated: (about: { what: string; when: string; curve: string; target: string }) =>
    `'${about.what}' is sent until it is done (${about.curve}), first ${about.when} → ${about.target}`,
  nagExists: ({ what, state }: { what: string; state: string }) =>
    `This nag exists already, and is ${state}: '${what}'`,
  /** The page has a nag: the request moves it to another time and keeps its count. */
  nagRescheduled: ({ what, when }: { what: string; when: string }) =>
    `The page has a nag already; it continues from ${when}: '${what}'`,
  unreachable: (reason: string) => `It cannot be delivered yet. ${reason}`,
  nagPruned: () => "The nag with this key has ended, and its record was deleted.",
  noNags: () =>
    'No nags are active or paused.\nCreate one: daybook nag "pay rent" …; include those that have ended: daybook nag list --all',
  sending: () => "being sent",
  sentTimes: (count: number) => (count === 0 ? "not sent yet" : `sent ${times(count)}`),
  nagSnoozed: ({ what, when }: { what: string; when: string }) =>
    `Snoozed: '${what}' is sent next ${when}`,
  nagDone: (what: string) => `Done: '${what}' is not sent again.`,
  nagPaused: ({ what, id }: { what: string; id: string }) =>
    `Paused: '${what}' is not sent until you resume it with daybook nag resume ${id}`,
  nagResumed: ({ what, when }: { what: string; when: string | null }) =>
    `Resumed: '${what}'${when === null ? "" : ` is sent next ${when}`}`,
  nagDeleted: (what: string) => `Deleted: '${what}' is not sent again.`,
  /** The request changed nothing. */
  nagUnchanged: ({ what, state }: { what: string; state: string }) =>
    `'${what}' is already ${state}.`,
  curve: curveText,

  pageSaved: ({ title, isFresh }: { title: string; isFresh: boolean }) =>
    `${isFresh ? "Created" : "Changed"}: '${title}'`,
  pageDeleted: ({ title, nag }: { title: string; nag: string | null }) =>
    `Deleted: '${title}'${nag === null ? "." : `, and its nag ${nag}.`}`,
  pageHeadline: ({ id, revision }: { id: string; revision: number }) =>
    `page ${id}, revision ${revision}`,
  pageUnchanged: (id: string) => `The page '${id}' is already deleted.`,
  noPages: () => "There are no pages.\nCreate one: daybook page put ID TITLE",
  pulled: ({ pages, alarms, timestamp }: { pages: number; alarms: number; timestamp: number }) =>
    `Changed: ${pages} pages, ${alarms} nags. Continue with daybook sync pull ${timestamp}`,
  pushed: (count: number) => `Records written: ${count}.`,

  /** What a notification was sent for. */
  nagAsCause: (about: { what: string; curve: string; state: string; id: string }) =>
    `the nag "${about.what}" (${about.curve}), which is ${about.state}: ${about.id}`,
  requestedTime: ({ number, when, atText }: { number: number; when: string; atText: string }) =>
    `message ${number}, ${when}, requested as ${atText}`,
  computedTime: (about: { number: number; when: string; from: string; zone: string }) =>
    `message ${about.number}, ${about.when}, counted from ${about.from} in the zone ${about.zone}`,
  /** The hours that are closed; empty when only the weekend is. */
  movedToOpenTime: (hours: string) =>
    `moved to the next open time${hours === "" ? "" : `, outside ${hours}`}`,
  movedToFreeMinute: () => "moved to a free minute: another nag of yours is due in the planned one",
  sendFailed: ({ count, reason }: { count: number; reason: string }) =>
    `the last ${count === 1 ? "attempt" : `${count} attempts`} to send it failed: ${reason}`,
  sendingBy: ({ id, number }: { id: string; number: number }) =>
    `message ${number} is being sent by notification ${id}`,
  lastSentBy: ({ id, receipt }: { id: string; receipt: string | null }) =>
    `last by notification ${id}${receipt === null ? "" : `, with receipt ${receipt}`}`,
  waitsForResume: (id: string) => `nothing until you resume it with daybook nag resume ${id}`,
  endsAsDone: () => "it is done, and ends as soon as the node that has leased it is finished",
};
