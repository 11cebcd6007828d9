import type { Controller } from "../../kernel/controller.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Language } from "../../platform/language.ts";
import { cut } from "../../platform/text.ts";
import { dayOf } from "../../time/zone.ts";
import { plainProfile, type Quiet } from "../accounts/index.ts";
import { nextTime, nextOpenTime } from "../nags/index.ts";
import type { Numbers, NotificationKind } from "../notifications/index.ts";
import { questionPrompt, threadMessage } from "../tasks/index.ts";
import { type QuestionKind, questionKind, waitCurve } from "./question.ts";
import { textsOf } from "./texts.ts";

interface QuestionsOptions {
  /** How an owner reads, and when their day is open. */
  profile?(owner: string): Promise<Profile>;
  /** Names what is said; the store does when absent. */
  numbers?: Numbers;
}

/** Says that an answer is still waited for, and ends what nobody answered in time. */
export function questions(options: QuestionsOptions = {}): Controller<QuestionKind, QuestionFacts> {
  const { profile = () => Promise.resolve(plainProfile), numbers } = options;
  return {
    name: "questions",
    kind: questionKind,
    async act(record) {
      const reader = await profile(record.owner);
      const { claimedAt } = record.lease;
      const isSilent = stepOf(record, { reader }, claimedAt).step === "rests";
      if (isSilent || numbers === undefined) return { reader };
      const messageId = await numbers.label("msg", dayOf(claimedAt, reader.zone));
      return { reader, messageId };
    },
    decide: decideQuestion,
  };
}

type Question = Claimed<QuestionKind>;

/** Who is waited for, and a name for what they are told. */
export interface QuestionFacts {
  readonly reader: {
    readonly zone: string;
    readonly language: Language;
    readonly quiet: Quiet | null;
  };
  /** `msg-20260207-001`; the store makes one when absent. */
  readonly messageId?: string;
}

const dayMs = 86_400_000;
const questionCharsMax = 1_000;

/** What is done for a question that nobody has answered yet. */
type Step =
  | { readonly step: "rests"; readonly until?: number }
  | { readonly step: "nags" }
  | { readonly step: "expires" };

function stepOf({ body }: Pick<Question, "body">, { reader }: QuestionFacts, now: number): Step {
  const { expiresAt } = body;
  if (expiresAt !== undefined && now >= expiresAt) return { step: "expires" };
  const { sleep } = waitCurve;
  const hours = {
    quiet: reader.quiet,
    zone: reader.zone,
    ...(sleep === undefined ? {} : { sleep }),
  };
  const open = nextOpenTime(now, hours);
  if (open === now) return { step: "nags" };
  const until = open ?? expiresAt; // never open: nobody may be spoken to
  return { step: "rests", ...(until === undefined ? {} : { until: atMost(until, body) }) };
}

/** It is said that it still waits, or that it does not any more: what is said and its next time are one unit. */
function decideQuestion(
  question: Question,
  waited: QuestionFacts,
  facts: Facts,
): Verdict<QuestionKind> {
  const step = stepOf(question, waited, facts.now);
  if (step.step === "expires") return expires(question, waited, facts);
  if (step.step === "nags") return nags(question, waited, facts);
  const { until } = step;
  return { state: "open", freshStart: true, ...(until === undefined ? {} : { wakeAt: until }) };
}

function nags(
  question: Question,
  waited: QuestionFacts,
  { now, jitter }: Facts,
): Verdict<QuestionKind> {
  const { body } = question;
  const { zone, quiet, language } = waited.reader;
  const before = question.outcome ?? unanswered;
  const count = (before.nags ?? 0) + 1;
  const when = { curve: waitCurve, from: now, now, zone, quiet, chance: jitter };
  const wakeAt = atMost(nextTime({ ...when, count: count + 1 }), body);
  const { text, choices } = body;
  const request = questionPrompt(language, {
    question: cut(text, questionCharsMax),
    choices,
    id: question.id,
    target: body.target,
  });
  const message = textsOf(language).notices.stillWaits(request);
  const draft = threadMessage(taskOf(question), "thread_update", {
    message,
    now,
    questionId: question.id,
  });
  // What could not be said until the next is not said beside it.
  const timely = { ...draft, body: { ...draft.body, expiresAt: wakeAt } };
  return {
    state: "open",
    wakeAt,
    freshStart: true,
    outcome: { ...before, nags: count },
    consequences: { append: [named(timely, waited)] },
  };
}

function expires(question: Question, waited: QuestionFacts, { now }: Facts): Verdict<QuestionKind> {
  const { body, createdAt } = question;
  const days = Math.max(Math.round(((body.expiresAt ?? now) - createdAt) / dayMs), 1);
  const request = cut(body.text, questionCharsMax);
  const message = textsOf(waited.reader.language).notices.expired({ question: request, days });
  const draft = threadMessage(taskOf(question), "notification", { message, now, final: true });
  const about = { ...draft, body: { ...draft.body, relatedQuestionId: question.id } };
  return {
    ends: "expired",
    outcome: question.outcome ?? unanswered,
    note: "nobody answered in time",
    consequences: { append: [named(about, waited)] },
  };
}

const unanswered: QuestionKind["outcome"] = { answer: null, by: null, resumed: null };

/** What it speaks for: the task that asked. */
function taskOf({ body }: Question): Parameters<typeof threadMessage>[0] {
  const { task, about, target, origin } = body;
  return { id: task, body: { event: about, target, origin } };
}

function named(
  draft: DraftOf<NotificationKind>,
  { messageId }: QuestionFacts,
): DraftOf<NotificationKind> {
  return messageId === undefined ? draft : { ...draft, id: messageId };
}

function atMost(at: number, { expiresAt = Infinity }: QuestionKind["body"]): number {
  return Math.min(at, expiresAt);
}
