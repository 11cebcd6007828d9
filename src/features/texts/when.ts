/** What is said of events, of what is done for them and of what that asks. */
export interface WhenTexts {
  emitted(about: { name: string; type: string }): string;
  emittedBefore(about: { name: string; state: string; isOther: boolean }): string;
  noEvents(): string;
  eventIs(about: { name: string; type: string; state: string; handler: string | null }): string;
  eventCancelled(name: string): string;
  /** Its task is at work, and is being stopped. */
  eventStopping(name: string): string;
  eventEnded(about: { name: string; state: string }): string;

  noTasks(): string;
  nothingToClaim(): string;
  claimed(about: { id: string; ticket: string; until: string }): string;
  keptUntil(about: { id: string; until: string; isCancelling: boolean }): string;
  /** Null: it has ended; else when it is tried again. */
  resultTaken(about: { id: string; state: string; again: string | null }): string;

  noQuestions(): string;
  questionIs(about: { id: string; handler: string; text: string; state: string }): string;
  questionCancelled(id: string): string;
  /** It is being looked at. */
  questionStopping(id: string): string;
  questionEnded(about: { id: string; state: string }): string;
  givenAnswer(answer: string): string;

  redriven(about: { of: string; id: string }): string;
  redrivenBefore(about: { of: string; id: string }): string;
  nothingQueued(): string;
  queueMoved(about: { id: string; state: string }): string;
  queueEdited(id: string): string;
  queueCount(about: { what: string; state: string; count: number; oldest: string | null }): string;
  queueDue(about: { queue: string; due: number; later: number; leased: number }): string;

  /** Why an event goes to whom, and what it waits for. */
  subscribes(about: { handler: string; type: string }): string;
  nobodySubscribes(type: string): string;
  hopsOf(count: number): string;
  handledBy(about: { id: string; state: string }): string;
  becauseEvent(about: { name: string; type: string; state: string; id: string }): string;
  /** What was asked of a person. */
  becauseQuestion(about: { text: string; id: string; state: string }): string;
  waitsForWorker(about: { handler: string }): string;
  waitsForAnswer(about: { id: string; until: string | null }): string;
  answeredBy(about: { answer: string; by: string; resumed: string }): string;
}
