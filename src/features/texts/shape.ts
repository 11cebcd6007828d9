import type { Route } from "../notifications/routing.ts";
import type { AgainTexts } from "./again.ts";
import type { UntilTexts } from "./until.ts";
import type { WhenTexts } from "./when.ts";

interface Imported {
  readonly imported: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
}

/** Everything an answer says to people. Errors are not among it: they are English on every face. */
export interface Texts extends AgainTexts, UntilTexts, WhenTexts {
  state(state: string): string;
  /** Why something is so, as the book has it; what a program or a person said stays as it is. */
  reason(reason: string): string;

  planned(about: { when: string; target: string }): string;
  pastSoAtOnce(): string;
  inPlaceOf(id: string): string;
  askedBefore(about: { state: string; when: string; target: string }): string;
  askedAndForgotten(): string;
  changed(about: { when: string; target: string }): string;

  imported(about: Imported): string;

  cancelled(): string;
  cancelledBefore(): string;
  cancelling(): string;

  snoozed(about: { when: string; target: string }): string;
  /** It had been said, and is not said again. */
  done(): string;
  /** It was still to be said, or said again. */
  doneUnsaid(): string;

  nothingListed(): string;
  more(cursor: string): string;
  nothingUntil(when: string): string;
  /** Further ones are in the book, and were not looked at or not shown. */
  notAll(): string;

  whoYouAre(about: { owner: string; principal: string; scopes: string }): string;
  setting(about: { name: Setting; value: string | null; from: From }): string;
  waiting(count: string): string;

  webhookAdded(about: { target: string; secret: string; isFresh: boolean }): string;
  noWebhooks(): string;
  webhookRemoved(): string;

  tokenMade(about: { owner: string; scopes: string }): string;
  /** With the same key: what was shown once cannot be shown again. */
  tokenMadeBefore(about: { owner: string; scopes: string }): string;
  noTokens(): string;
  tokenLine(about: { name: string; owner: string; scopes: string; until: string | null }): string;
  tokenRevoked(): string;

  linkCode(about: { say: string; owner: string; minutes: number }): string;
  noPeople(): string;
  personLine(about: { name: string; who: string; owner: string }): string;
  personUnlinked(): string;

  settingsChanged(keys: readonly string[]): string;
  settingsWait(keys: readonly string[]): string;

  /** The names before the lines of a story. */
  label(name: Label): string;
  headline(about: Headline): string;
  receipt(receipt: string): string;
  mayHaveArrived(isDelivered: boolean): string;
  because(about: { kind: string; id: string; state: string }): string;
  replaces(about: { id: string; state: string }): string;
  askedBy(about: { by: string; when: string; origin: string | null }): string;
  /** Why it goes where it goes. */
  targetBecause(because: Route["because"]): string;
  dueAt(about: { when: string; words: string; late: string | null }): string;
  quiet(about: { hours: string; isInForce: boolean }): string;
  urgent(): string;
  atMostOnce(): string;
  expires(when: string): string;
  collapses(key: string): string;
  attempt(about: Attempt): string;
  cutOff(about: { attempt: string; by: string; when: string | null }): string;
  edited(about: { by: string; when: string }): string;
  cancelAsked(about: { by: string; when: string }): string;
  cancelledBy(about: { by: string; when: string }): string;
  /** What became of a schedule. */
  pausedBy(about: { by: string; when: string }): string;
  resumedBy(about: { by: string; when: string }): string;
  wentOn(when: string): string;
  disabledOn(when: string): string;
  earlierLeftOut(count: string): string;
  /** Why a slot did not run, and what may be used. */
  skipped(reason: "overlap" | "budget" | "paused"): string;
  pausedSince(about: Rest): string;
  used(about: { what: "runs" | "turns" | "cost"; used: string | null; allowed: string }): string;
  dayBudget(about: { day: string; used: string; isUsedUp: boolean }): string;
  runBudget(used: string): string;
  /** Why what a run said is told, or is not. */
  told(isMarked: boolean): string;
  untold(policy: "conditional" | "never"): string;
  failureUntold(after: number): string;
  waitsForNothing(): string;
  waitsForListener(target: string): string;
  waitsForResume(name: string): string;
  heldBack(about: Rest & { scope: string }): string;
  overdue(about: { span: string; cutOff: string | null }): string;
  atWork(about: { by: string; isCancelling: boolean }): string;
  comes(about: { when: string; far: string; isParked: boolean }): string;

  /** What the system says by itself. */
  welcome(): string;
  digest(about: { count: number }): string;
  undeliverable(about: { target: string; since: string; reason: string }): string;
  downtime(about: { from: string; to: string; count: number }): string;
  /** What is said of runs. */
  ranSilently(about: { name: string }): string;
  outputGoesOn(id: string): string;
  keepsFailing(about: { name: string; count: number; error: string }): string;
  wasDisabled(about: { name: string; count: number }): string;
  worksAgain(about: { name: string; count: number }): string;
  reportMissed(about: { name: string; when: string }): string;
  reportsAgain(about: { name: string }): string;
  watching(about: { name: string; when: string; grace: string; target: string }): string;
  pingAt(url: string): string;
  pingTaken(about: { name: string; state: string }): string;
  setDown(about: {
    name: string;
    owner: string;
    what: Planned;
    fields: string;
    drift: boolean;
  }): string;
  nothingSetDown(): string;
  nothingDone(): string;
  rests(about: { scope: string; until: string | null; reason: string | null }): string;
  /** What was put back is looked at within a minute. */
  goesOn(isPutBack: boolean): string;
}

/** What becomes of a schedule that stands in the settings. */
type Planned = "create" | "change" | "keep" | "remove" | "same";

type Setting = "timezone" | "language" | "home" | "quiet";

type From = "profile" | "setting" | "host";

export type Label =
  | "message"
  | "because"
  | "asked"
  | "time"
  | "rules"
  | "runs"
  | "attempts"
  | "said"
  | "changes"
  | "next";

interface Headline {
  kind: string;
  id: string;
  state: string;
  when: string | null;
  target: string | null;
}

interface Attempt {
  attempt: string;
  by: string;
  state: string;
  took: string | null;
  /** When it began; null where another line says it. */
  when: string | null;
}

interface Rest {
  by: string | null;
  since: string | null;
  until: string | null;
  reason: string | null;
}
