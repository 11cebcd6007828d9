/** What is said of schedules and runs. */
export interface AgainTexts {
  scheduled(about: { name: string; when: string; target: string }): string;
  scheduledBefore(about: { name: string; when: string; state: string }): string;
  scheduledAndForgotten(): string;
  /** The moments it comes at next, each on its line. */
  fires(when: string): string;
  noFires(): string;
  callSecret(secret: string): string;
  nobodyRuns(name: string): string;
  scheduleChanged(about: { name: string; when: string }): string;
  scheduleDeleted(name: string): string;
  scheduleGone(about: { name: string; state: string }): string;
  scheduleIs(about: { name: string; state: string; reason: string | null }): string;
  noSchedules(): string;
  /** Of all that match, so many are on this page. */
  ofAll(about: { count: number; total: number }): string;
  nothingForeseen(): string;
  foreseen(what: "say" | "run"): string;
  clocksChange(hours: number): string;
  moreForeseen(count: number): string;
  paused(about: { name: string; until: string | null }): string;
  resumed(about: { name: string; next: string | null }): string;

  runAsked(about: { name: string; id: string }): string;
  runAskedBefore(about: { name: string; state: string }): string;
  backfilled(about: { count: number; before: number }): string;
  wouldBackfill(about: { count: number; before: number }): string;
  noRuns(): string;
  lastFailures(count: number): string;
  runIs(about: { name: string; id: string; state: string; when: string | null }): string;
  exitedWith(status: number): string;
  noOutput(isAtWork: boolean): string;
  outputLeft(about: { offset: number; remaining: number }): string;
  runCancelled(): string;
  runStopping(): string;
  runEnded(state: string): string;
  asksForAnswer(about: { question: string; choices: string; id: string }): string;
  answered(): string;
  resent(about: { target: string; when: string }): string;

  /** Why something was said or run, one cause a line. */
  becauseRun(about: { name: string; id: string; state: string; when: string | null }): string;
  becauseSlot(about: { when: string; utc: string; late: string | null }): string;
  becauseAsked(about: { isBackfill: boolean; when: string; late: string | null }): string;
  becauseSchedule(about: { name: string; when: string; state: string }): string;
  madeBy(about: { by: string; when: string; origin: string | null }): string;
}
