import type { Controller } from "../../kernel/controller.ts";
import type { Profile } from "../../kernel/profile.ts";
import { dayOf } from "../../time/zone.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Numbers } from "../notifications/counter.ts";
import { afterWait, stepOf, type Waited } from "./question-wait.ts";
import { type QuestionKind, questionKind } from "./question.ts";

interface QuestionsOptions {
  /** How an owner reads, and when their day is open. */
  profile?(owner: string): Promise<Profile>;
  /** Names what is said; the store does when absent. */
  numbers?: Numbers;
}

/** Says that an answer is still waited for, and ends what nobody answered in time. */
export function questions(options: QuestionsOptions = {}): Controller<QuestionKind, Waited> {
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
    decide: afterWait,
  };
}
