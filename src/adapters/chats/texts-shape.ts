import { type CommandName } from "./command-line.ts";

/** What this face says by itself, as Markdown. What comes in from elsewhere is written plainly before. */
export interface Texts {
  /** What each command does, in at most 100 characters. */
  readonly commands: Readonly<Record<CommandName, string>>;
  /** What follows each command; "" where nothing does. */
  readonly usage: Readonly<Record<CommandName, string>>;
  /** What the words after a command are called, where a chat asks for them by name. */
  readonly words: string;
  help(lines: readonly string[]): string;
  readonly hint: string;
  unknownCommand(about: { name: string; meant: string | undefined }): string;

  welcome(owner: string): string;
  readonly wrongCode: string;
  /** Where a service must be answered and nobody is known. */
  readonly notKnown: string;

  planned(about: { when: string; text: string; id: string; past: boolean }): string;
  forgotten(id: string): string;
  noTime(example: string): string;
  readonly noText: string;
  nagged(about: { when: string; text: string; curve: string; id: string }): string;
  nagNoText(example: string): string;
  nagLine(about: { when: string | null; text: string; said: string; id: string }): string;
  snoozed(about: { when: string; text: string; id: string }): string;
  done(text: string): string;
  cancelled(text: string): string;
  cancelling(text: string): string;
  cancelledBefore(text: string): string;

  scheduled(about: { name: string; when: string; next: string | undefined; id: string }): string;
  noCadence(example: string): string;
  readonly noAgent: string;
  scheduleDeleted(name: string): string;
  runCancelled(name: string): string;

  listLine(about: { when: string; text: string; id: string }): string;
  scheduleLine(about: {
    name: string;
    when: string;
    next: string | null;
    state: string | null;
    id: string;
  }): string;
  runLine(about: { when: string; state: string; said: string; id: string }): string;
  readonly nothingListed: string;
  elsewhere(count: number): string;
  more(count: number): string;
  runsOf(name: string): string;
  readonly noRuns: string;
  readonly noSchedules: string;
  readonly whichSchedule: string;
  noOutput(isAtWork: boolean): string;
  outputLeft(remaining: number): string;
  readonly answered: string;

  whichOne(command: CommandName): string;
  notFound(typed: string): string;
  ambiguous(typed: string): string;
  timezone(zone: string): string;
  timezoneSet(zone: string): string;

  readonly tryAgain: string;
  readonly wentWrong: string;
}
