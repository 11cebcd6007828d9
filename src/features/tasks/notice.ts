import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts } from "../../kernel/verdict.ts";
import { cut, harmless } from "../../platform/text.ts";
import {
  makeNotification,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import type { TaskKind } from "./kind.ts";
import { type Completed, withoutMarker } from "./notify-marker.ts";
import type { RunOutput, TaskOutcome } from "./outcome.ts";
import { questionPrompt } from "./question.ts";
import { textsOf } from "./texts.ts";

type Task = Claimed<TaskKind>;
const summaryCharsMax = 500;
/** Counted in characters; a message counts up to two units for each. */
export const messageCharsMax = 9_900;

/** The start of an output, as a summary. */
export function summaryOf(text: string): string | null {
  return cut(harmless(text.replaceAll("\r\n", "\n").trim()), summaryCharsMax) || null;
}

/** The notification of a completed run; undefined if its policy sends none. */
export function runNotice(
  record: Task,
  { completed, output }: { completed: Completed; output: RunOutput },
  reader: NoticeReader,
  { now }: Facts,
): DraftOf<NotificationKind> | undefined {
  const { slot, target, origin } = record.body;
  if (slot === undefined || slot.notify === "never") return undefined;
  if (completed.nothingToDo !== undefined) return undefined;
  const { message: text, isMarked } = withoutMarker(slot.notify, completed, output);
  if (slot.notify === "conditional" && !isMarked) return undefined;
  const texts = textsOf(reader.language);
  const silent = texts.ranSilently({ name: slot.name });
  const rest = texts.outputContinues(record.id);
  const shown = text.trim() === "" ? { message: silent } : noticeText(text, rest);
  return makeNotification({ ...shown, at: now, atText: "now", target, origin, type: "run" });
}

/**
 * The output as a message: without the final line end, cut if it is too long, and without characters that no message may
 * hold. A channel that takes long texts sends all of it, from the output.
 */
function noticeText(
  text: string,
  rest: string,
): Pick<NotificationKind["body"], "message" | "outputUnits"> {
  const plain = text.trimEnd().toWellFormed().replaceAll("\0", "\uFFFD");
  const shown = cut(plain, messageCharsMax);
  if (shown === plain) return { message: plain };
  const head = shown.replace(/…$/, "").trimEnd();
  return { message: `${head}\n…\n${rest}`, outputUnits: head.length };
}

/** The notification that asks the question of a run, at the target of its output. */
export function questionNotice(
  { id, body }: Task,
  { text, choices }: NonNullable<TaskOutcome["question"]>,
  { language }: NoticeReader,
  { now }: Facts,
): DraftOf<NotificationKind> {
  const { target, origin } = body;
  const asks = { question: text, choices, id, target, command: "run answer" } as const;
  const message = questionPrompt(language, asks);
  const about = { type: "question", relatedTaskId: id } as const;
  return makeNotification({ message, at: now, atText: "now", target, origin, ...about });
}
