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
/** Characters, which a message counts in units of at most two each. */
const messageCharsMax = 9_900;

/** The beginning of its output. */
export function summaryOf(text: string): string | null {
  return cut(harmless(text.replaceAll("\r\n", "\n").trim()), summaryCharsMax) || null;
}

/** The notification of a run that completed, if its policy has one. */
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
  const message = text.trim() === "" ? silent : readable(text, texts.outputGoesOn(record.id));
  return makeNotification({ message, at: now, atText: "now", target, origin, type: "run" });
}

/** As it stands, without the line end that programs close with, unless it is too long or holds what no message can. */
function readable(text: string, goesOn: string): string {
  const plain = text.trimEnd().toWellFormed().replaceAll("\0", "\uFFFD");
  const shown = cut(plain, messageCharsMax);
  return shown === plain ? plain : `${shown}\n${goesOn}`;
}

/** A run's question, sent to the target of its output. */
export function makeQuestion(
  { id, body }: Task,
  { text, choices }: NonNullable<TaskOutcome["question"]>,
  { language }: NoticeReader,
  { now }: Facts,
): DraftOf<NotificationKind> {
  const { target, origin } = body;
  const message = questionPrompt(language, { question: text, choices, id, target });
  const about = { type: "question", relatedTaskId: id } as const;
  return makeNotification({ message, at: now, atText: "now", target, origin, ...about });
}
