import type { Curve } from "../nags/curve.ts";

/** What is said of what is said until it is done. */
export interface UntilTexts {
  nagged(about: { what: string; when: string; curve: string; target: string }): string;
  naggedBefore(about: { what: string; state: string }): string;
  /** The page had one: it is due as asked, and counts on. */
  naggedAgain(about: { what: string; when: string }): string;
  unreachable(why: string): string;
  naggedAndForgotten(): string;
  noNags(): string;
  saidTimes(count: number): string;
  onItsWay(): string;
  nagPutOff(about: { what: string; when: string }): string;
  nagDone(what: string): string;
  nagPaused(about: { what: string; id: string }): string;
  nagResumed(about: { what: string; when: string | null }): string;
  nagDeleted(what: string): string;
  /** It had ended, or rested, before. */
  nagWas(about: { what: string; state: string }): string;
  curve(curve: Curve): string;

  pageKept(about: { title: string; isFresh: boolean }): string;
  pageDeleted(about: { title: string; nag: string | null }): string;
  pageIs(about: { id: string; revision: number }): string;
  pageGone(id: string): string;
  noPages(): string;
  /** Of a client that keeps them too. */
  pulled(about: { pages: number; alarms: number; timestamp: number }): string;
  pushed(count: number): string;

  /** Why it is said when it is. */
  becauseNag(about: { what: string; curve: string; state: string; id: string }): string;
  nagAskedFor(about: { number: number; when: string; words: string }): string;
  nagCounted(about: { number: number; when: string; from: string; zone: string }): string;
  /** The hours in which nobody is woken; none when it was the days. */
  nagMovedToOpening(hours: string): string;
  nagMinuteMoved(): string;
  nagFailed(about: { count: number; reason: string }): string;
  nagBeingSaid(about: { id: string; number: number }): string;
  nagLastSaid(about: { id: string; receipt: string | null }): string;
  nagWaitsForResume(id: string): string;
  nagEndsDone(): string;
}
