import { parseTarget } from "../../kernel/target.ts";
import type { Language } from "../../platform/language.ts";
import { cut, harmless } from "../../platform/text.ts";
import type { TaskOutcome, RunResult } from "./outcome.ts";
import { textsOf } from "./texts.ts";

type Asks = RunResult & { result: "asks" };

const questionCharsMax = 2_000;
const choicesMax = 20;
const choiceCharsMax = 200;
/** How long a schedule waits for an answer if its run sets no limit. */
const answerMsOfSchedule = 7 * 86_400_000;
const answerMsMax = 3_660 * 86_400_000;

/** The question as it is stored, and as its answer names it. */
export function questionText(question: string): string {
  return cut(harmless(question), questionCharsMax);
}

export function questionOf(ran: Asks): NonNullable<TaskOutcome["question"]> {
  const choices = (ran.choices ?? []).slice(0, choicesMax);
  return {
    text: questionText(ran.question),
    choices: choices.map((choice) => cut(harmless(choice), choiceCharsMax)),
  };
}

/** How long to wait for the answer. Undefined: without a limit, if no other run waits. */
export function answerMsOf({ withinMs }: Asks, blocksOtherRuns: boolean): number | undefined {
  const ownMs = withinMs ?? (blocksOtherRuns ? answerMsOfSchedule : undefined);
  return ownMs === undefined ? undefined : Math.min(ownMs, answerMsMax);
}

/** The channels in which a reply is an answer. */
const replied: readonly string[] = ["telegram", "slack"];

interface OpenQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  readonly id: string;
  /** Where it is sent. */
  readonly target: string;
  /** A run is answered by its own id, the question of a handler's task by the question's id. */
  readonly command: "run answer" | "question answer";
}

/** The question, its choices, and how to answer. */
export function questionPrompt(
  language: Language,
  { question, choices, id, target, command: name }: OpenQuestion,
): string {
  const texts = textsOf(language);
  const offered = choices.length === 0 ? "" : `\n(${choices.join(" / ")})`;
  const { channel } = parseTarget(target);
  // Discord passes on commands, and no replies.
  const command = channel === "discord" ? "/answer" : `daybook ${name}`;
  const advice = replied.includes(channel)
    ? texts.answerByReply
    : texts.answerByCommand(`${command} ${id} ${choices[0] ?? "…"}`);
  return `${question}${offered}\n${advice}`;
}
