import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts } from "../../kernel/verdict.ts";
import type { Json } from "../../platform/json.ts";
import { cut, harmless } from "../../platform/text.ts";
import { makeNotification, type NotificationKind } from "../notifications/kind.ts";
import type { NoticeReader } from "../notifications/undeliverable.ts";
import type { TaskOutcome, TaskKind, NotifyPolicy } from "./kind.ts";
import { questionPrompt } from "./question.ts";
import type { Choice, RunOutput } from "./result.ts";
import { textsOf } from "./texts.ts";

type Task = Claimed<TaskKind>;

/** What a run came back with. */
interface Completed {
  readonly said?: string;
  readonly returned?: Json;
  readonly nothingToDo?: string;
}

/** A run whose policy is conditional begins with this to be heard. */
export const notifyMarker = "[NOTIFY]";
const summaryCharsMax = 500;
/** Characters, which a message counts in units of at most two each. */
const messageCharsMax = 9_900;

/** The beginning of what it said. */
export function summaryOf(text: string): string | null {
  return cut(harmless(text.replaceAll("\r\n", "\n").trim()), summaryCharsMax) || null;
}

/** Takes the marker off the beginning, if it is there. */
export function readMarker(text: string): { text: string; isMarked: boolean } {
  const begun = text.trimStart();
  if (!begun.startsWith(notifyMarker)) return { text, isMarked: false };
  return { text: begun.slice(notifyMarker.length).trimStart(), isMarked: true };
}

/** The choice that a text is, as it stands or in a block of JSON: models like to answer in one. */
export function choiceIn(text: string): Choice | undefined {
  const plain = text.trim();
  const [, inner = plain] = /^```(?:json)?([^]*)```$/i.exec(plain) ?? [];
  try {
    return structured(JSON.parse(inner) as Json);
  } catch {
    return undefined;
  }
}

/** What it says, what it returned, and whether it wants to be heard: without the marker where one is looked for. */
export function withoutMarker(
  policy: NotifyPolicy | undefined,
  { said, returned = null }: Completed,
  output: RunOutput,
): { said: string; result: Json; isMarked: boolean } {
  const answer = structured(returned);
  if (policy !== "conditional") {
    return { said: answer?.message ?? said ?? output.text, result: returned, isMarked: false };
  }
  const result = typeof returned === "string" ? readMarker(returned).text : returned;
  const choice = answer ?? (said === undefined ? output.choice : choiceIn(said));
  const words = choice?.message ?? said;
  const { text, isMarked } = words === undefined ? output : readMarker(words);
  return { said: text, result, isMarked: choice?.notify ?? isMarked };
}

/** A run may say in plain data whether it is to be heard. */
function structured(returned: Json): Choice | undefined {
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) {
    return undefined;
  }
  const { notify, message } = returned as { notify?: Json; message?: Json };
  return typeof notify === "boolean" && typeof message === "string"
    ? { notify, message }
    : undefined;
}

/** What is told of a run that completed, if its policy lets it be told. */
export function runNotice(
  record: Task,
  { completed, output }: { completed: Completed; output: RunOutput },
  reader: NoticeReader,
  { now }: Facts,
): DraftOf<NotificationKind> | undefined {
  const { slot, target, origin } = record.body;
  if (slot === undefined || slot.notify === "never") return undefined;
  if (completed.nothingToDo !== undefined) return undefined;
  const { said, isMarked } = withoutMarker(slot.notify, completed, output);
  if (slot.notify === "conditional" && !isMarked) return undefined;
  const texts = textsOf(reader.language);
  const silent = texts.ranSilently({ name: slot.name });
  const message = said.trim() === "" ? silent : readable(said, texts.outputGoesOn(record.id));
  return makeNotification({ message, at: now, atText: "now", target, origin, type: "run" });
}

/** As it stands, without the line end that programs close with, unless it is too long or holds what no message can. */
function readable(text: string, goesOn: string): string {
  const plain = text.trimEnd().toWellFormed().replaceAll("\0", "\uFFFD");
  const shown = cut(plain, messageCharsMax);
  return shown === plain ? plain : `${shown}\n${goesOn}`;
}

/** What a run asks, said where its output would be. */
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
