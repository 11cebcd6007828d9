import { span } from "../../time/times.ts";
import { unitMs, type Curve, type Distance } from "../nags/curve.ts";
import type { UntilTexts } from "./until.ts";

/** "5 min". */
export function lengthOf({ count, unit }: Distance, language: "en" | "ko"): string {
  return span(count * unitMs[unit], language);
}

function sayCurve({ base, factor, cap, ...rest }: Curve): string {
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

export const untilEnglish: UntilTexts = {
  nagged: ({ what, when, curve, target }) =>
    `'${what}' until it is done (${curve}), first ${when} → ${target}`,
  naggedBefore: ({ what, state }) => `Already asked, and ${state}: '${what}'`,
  naggedAgain: ({ what, when }) => `It was there already, and goes on from ${when}: '${what}'`,
  unreachable: (why) => `So far nothing can be said there. ${why}`,
  naggedAndForgotten: () => "Already asked, over, and forgotten since.",
  noNags: () => "Nothing is being said until it is done. What has ended is shown by --all.",
  onItsWay: () => "on its way",
  saidTimes: (count) => (count === 0 ? "not said yet" : `said ${times(count)}`),
  nagPutOff: ({ what, when }) => `Put off: '${what}' is said ${when}`,
  nagDone: (what) => `Done: '${what}' is not said any more.`,
  nagPaused: ({ what, id }) => `'${what}' rests until you resume it: daybook resume ${id}`,
  nagResumed: ({ what, when }) =>
    `'${what}' goes on${when === null ? "." : `, and is said ${when}`}`,
  nagDeleted: (what) => `Deleted: '${what}' is not said any more.`,
  nagWas: ({ what, state }) => `'${what}' was ${state} already.`,
  curve: sayCurve,

  pageKept: ({ title, isFresh }) => `${isFresh ? "Written" : "Changed"}: '${title}'`,
  pageDeleted: ({ title, nag }) =>
    `Deleted: '${title}'${nag === null ? "." : `, and with it what was said of it until it is done, ${nag}.`}`,
  pageIs: ({ id, revision }) => `page ${id}, revision ${revision}`,
  pageGone: (id) => `The page '${id}' had been deleted already.`,
  noPages: () => "There are no pages.",
  pulled: ({ pages, alarms, timestamp }) =>
    `Changed: pages ${pages}, what is said of them ${alarms}. Ask the next time since ${timestamp}.`,
  pushed: (count) => `Taken over: ${count}.`,

  becauseNag: ({ what, curve, state, id }) =>
    `"${what}" is said until it is done (${curve}), ${state} now: ${id}`,
  nagAskedFor: ({ number, when, words }) => `number ${number}, ${when}, asked as ${words}`,
  nagCounted: ({ number, when, from, zone }) =>
    `number ${number}, ${when}, counted from ${from} on the clocks of ${zone}`,
  nagMovedToOpening: (hours) =>
    `moved to when somebody may be woken${hours === "" ? "" : `, outside ${hours}`}`,
  nagMinuteMoved: () => "moved to a minute of its own: another of yours is said in that one",
  nagFailed: ({ count, reason }) =>
    `${count === 1 ? "the last one" : `the last ${count}`} could not be said: ${reason}`,
  nagBeingSaid: ({ id, number }) => `number ${number} is being said by ${id}`,
  nagLastSaid: ({ id, receipt }) =>
    `last by ${id}${receipt === null ? "" : `, which is ${receipt} where it arrived`}`,
  nagWaitsForResume: (id) => `nothing until it is resumed: daybook resume ${id}`,
  nagEndsDone: () => "it is done; whoever is at work on it ends it",
};
