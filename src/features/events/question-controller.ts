import type { Controller } from "../../kernel/controller.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { cut } from "../../platform/text.ts";
import { dayOf } from "../../time/zone.ts";
import { plainProfile } from "../accounts/index.ts";
import { nextTime, nextOpenTime, type Curve } from "../nags/index.ts";
import type { Numbers, NotificationKind } from "../notifications/index.ts";
import { questionPrompt, threadMessage } from "../tasks/index.ts";
import { firstReminderMs, type QuestionKind, questionKind } from "./question.ts";
import { textsOf } from "./texts.ts";

interface QuestionsOptions {
  /** An owner's language, zone and quiet hours. */
  profile?(owner: string): Promise<Profile>;
  /** Gives messages their ids; absent: the store does. */
  numbers?: Numbers;
}

/** Sends reminders that a question is open, and expires it. */
export function questions(options: QuestionsOptions = {}): Controller<QuestionKind, QuestionFacts> {
  const { profile = () => Promise.resolve(plainProfile), numbers } = options;
  return {
    name: "questions",
    kind: questionKind,
    async act(record) {
      const reader = await profile(record.owner);
      const { claimedAt } = record.lease;
      const isSilent = stepOf(record, { reader }, claimedAt).step === "wait";
      if (isSilent || numbers === undefined) return { reader };
      const messageId = await numbers.label("msg", dayOf(claimedAt, reader.zone));
      return { reader, messageId };
    },
    decide: decideQuestion,
  };
}

type Question = Claimed<QuestionKind>;

/** The owner of the question, and the id of a message to them. */
export interface QuestionFacts {
  readonly reader: Pick<Profile, "zone" | "language" | "quiet">;
  /** `msg-20260207-001`; absent: the store makes one. */
  readonly messageId?: string;
}

/** The pauses between reminders; none is sent at night. */
const reminderCurve: Curve & Required<Pick<Curve, "sleep">> = {
  base: { count: firstReminderMs / 3_600_000, unit: "hours" },
  factor: 2,
  cap: { count: 72, unit: "hours" },
  sleep: { from: "22:00", to: "07:00" },
};
const dayMs = 86_400_000;
const questionCharsMax = 1_000;

type Step =
  | { readonly step: "wait"; readonly until: number | undefined }
  | { readonly step: "remind" }
  | { readonly step: "expire" };

function stepOf({ body }: Pick<Question, "body">, { reader }: QuestionFacts, now: number): Step {
  const { expiresAt } = body;
  if (expiresAt !== undefined && now >= expiresAt) return { step: "expire" };
  const { quiet, zone } = reader;
  const open = nextOpenTime(now, { quiet, zone, sleep: reminderCurve.sleep });
  if (open === now) return { step: "remind" };
  // Without any open time there are no reminders: it only expires.
  return { step: "wait", until: open === undefined ? expiresAt : atMost(open, body) };
}

function decideQuestion(
  question: Question,
  read: QuestionFacts,
  facts: Facts,
): Verdict<QuestionKind> {
  const step = stepOf(question, read, facts.now);
  switch (step.step) {
    case "expire":
      return expire(question, read, facts);
    case "remind":
      return remind(question, read, facts);
    case "wait":
      return { state: "open", freshStart: true, wakeAt: step.until };
  }
}

function remind(
  question: Question,
  read: QuestionFacts,
  { now, jitter }: Facts,
): Verdict<QuestionKind> {
  const { body } = question;
  const { zone, quiet, language } = read.reader;
  const before = question.outcome ?? unanswered;
  const count = (before.nags ?? 0) + 1;
  const when = { curve: reminderCurve, from: now, now, zone, quiet, chance: jitter };
  const wakeAt = atMost(nextTime({ ...when, count: count + 1 }), body);
  const { text, choices } = body;
  const prompt = questionPrompt(language, {
    question: cut(text, questionCharsMax),
    choices,
    id: question.id,
    target: body.target,
    command: "question answer",
  });
  const message = textsOf(language).notices.stillWaits(prompt);
  const draft = threadMessage(taskOf(question), "thread_update", {
    message,
    now,
    questionId: question.id,
  });
  // A reminder that was not sent when the next one is due expires.
  const timely = { ...draft, body: { ...draft.body, expiresAt: wakeAt } };
  return {
    state: "open",
    wakeAt,
    freshStart: true,
    outcome: { ...before, nags: count },
    consequences: { append: [withId(timely, read)] },
  };
}

function expire(question: Question, read: QuestionFacts, { now }: Facts): Verdict<QuestionKind> {
  const { body, createdAt } = question;
  const days = Math.max(Math.round(((body.expiresAt ?? now) - createdAt) / dayMs), 1);
  const text = cut(body.text, questionCharsMax);
  const message = textsOf(read.reader.language).notices.expired({ question: text, days });
  const draft = threadMessage(taskOf(question), "notification", { message, now, final: true });
  const notice = { ...draft, body: { ...draft.body, relatedQuestionId: question.id } };
  return {
    ends: "expired",
    outcome: question.outcome ?? unanswered,
    note: "nobody answered in time",
    consequences: { append: [withId(notice, read)] },
  };
}

const unanswered: QuestionKind["outcome"] = { answer: null, by: null, resumed: null };

/** The task that asked, whose thread the messages go to. */
function taskOf({ body }: Question): Parameters<typeof threadMessage>[0] {
  const { task, about, target, origin } = body;
  return { id: task, body: { event: about, target, origin } };
}

function withId(
  draft: DraftOf<NotificationKind>,
  { messageId }: QuestionFacts,
): DraftOf<NotificationKind> {
  return { ...draft, id: messageId };
}

function atMost(at: number, { expiresAt = Infinity }: QuestionKind["body"]): number {
  return Math.min(at, expiresAt);
}
