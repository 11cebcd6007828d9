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
      ? `${first} apart`
      : `${first} apart at first, each next ${factor} times as far, ${last} at most`,
    ...(wholeHours === true ? ["at whole hours"] : []),
    ...(weekdays === true ? ["on weekdays"] : []),
    ...(sleep === undefined ? [] : [`not from ${sleep.from} to ${sleep.to}`]),
    ...(jitter === 0 ? [] : [`up to ${Math.round(jitter * 100)}% sooner by chance`]),
    ...(countMax === undefined ? [] : [`${countMax} times at most`]),
    ...(escalate === undefined
      ? []
      : [`from number ${escalate.after} on also to ${escalate.target}`]),
  ].join(", ");
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

export const en = {
  nagged: (about: { what: string; when: string; curve: string; target: string }) =>
    `'${about.what}' until it is done (${about.curve}), first ${about.when} → ${about.target}`,
  naggedBefore: ({ what, state }: { what: string; state: string }) =>
    `Already asked, and ${state}: '${what}'`,
  /** The page had one: it is due as asked, and counts on. */
  naggedAgain: ({ what, when }: { what: string; when: string }) =>
    `It was there already, and goes on from ${when}: '${what}'`,
  unreachable: (why: string) => `So far nothing can be said there. ${why}`,
  naggedAndForgotten: () => "Already asked, over, and forgotten since.",
  noNags: () => "Nothing is being said until it is done. What has ended is shown by --all.",
  onItsWay: () => "on its way",
  saidTimes: (count: number) => (count === 0 ? "not said yet" : `said ${times(count)}`),
  nagPutOff: ({ what, when }: { what: string; when: string }) =>
    `Put off: '${what}' is said ${when}`,
  nagDone: (what: string) => `Done: '${what}' is not said any more.`,
  nagPaused: ({ what, id }: { what: string; id: string }) =>
    `'${what}' rests until you resume it: daybook resume ${id}`,
  nagResumed: ({ what, when }: { what: string; when: string | null }) =>
    `'${what}' goes on${when === null ? "." : `, and is said ${when}`}`,
  nagDeleted: (what: string) => `Deleted: '${what}' is not said any more.`,
  /** It had ended, or rested, before. */
  nagWas: ({ what, state }: { what: string; state: string }) => `'${what}' was ${state} already.`,
  curve: curveText,

  pageKept: ({ title, isFresh }: { title: string; isFresh: boolean }) =>
    `${isFresh ? "Written" : "Changed"}: '${title}'`,
  pageDeleted: ({ title, nag }: { title: string; nag: string | null }) =>
    `Deleted: '${title}'${nag === null ? "." : `, and with it what was said of it until it is done, ${nag}.`}`,
  pageIs: ({ id, revision }: { id: string; revision: number }) =>
    `page ${id}, revision ${revision}`,
  pageGone: (id: string) => `The page '${id}' had been deleted already.`,
  noPages: () => "There are no pages.",
  /** Of a client that keeps them too. */
  pulled: ({ pages, alarms, timestamp }: { pages: number; alarms: number; timestamp: number }) =>
    `Changed: pages ${pages}, what is said of them ${alarms}. Ask the next time since ${timestamp}.`,
  pushed: (count: number) => `Taken over: ${count}.`,

  /** Why it is said when it is. */
  becauseNag: (about: { what: string; curve: string; state: string; id: string }) =>
    `"${about.what}" is said until it is done (${about.curve}), ${about.state} now: ${about.id}`,
  nagAskedFor: ({ number, when, words }: { number: number; when: string; words: string }) =>
    `number ${number}, ${when}, asked as ${words}`,
  nagCounted: (about: { number: number; when: string; from: string; zone: string }) =>
    `number ${about.number}, ${about.when}, counted from ${about.from} on the clocks of ${about.zone}`,
  /** The hours in which nobody is woken; none when it was the days. */
  nagMovedToOpening: (hours: string) =>
    `moved to when somebody may be woken${hours === "" ? "" : `, outside ${hours}`}`,
  nagMinuteMoved: () => "moved to a minute of its own: another of yours is said in that one",
  nagFailed: ({ count, reason }: { count: number; reason: string }) =>
    `${count === 1 ? "the last one" : `the last ${count}`} could not be said: ${reason}`,
  nagBeingSaid: ({ id, number }: { id: string; number: number }) =>
    `number ${number} is being said by ${id}`,
  nagLastSaid: ({ id, receipt }: { id: string; receipt: string | null }) =>
    `last by ${id}${receipt === null ? "" : `, which is ${receipt} where it arrived`}`,
  nagWaitsForResume: (id: string) => `nothing until it is resumed: daybook resume ${id}`,
  nagEndsDone: () => "it is done; whoever is at work on it ends it",
};
