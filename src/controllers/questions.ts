import { plainProfile, type Profile } from "../ledger/profiles.ts";
import { afterWait, stepOf, type Waited } from "../rules/when/question-wait.ts";
import { dayOf } from "../rules/zone.ts";
import type { Controller } from "./controller.ts";
import type { Numbers } from "./numbers.ts";

interface QuestionsOptions {
  /** How an owner reads, and when their day is open. */
  profile?(owner: string): Promise<Profile>;
  /** Names what is said; the store does when absent. */
  numbers?: Numbers;
}

/** Says that an answer is still waited for, and ends what nobody answered in time. */
export function questions(options: QuestionsOptions = {}): Controller<"question", Waited> {
  const { profile = () => Promise.resolve(plainProfile), numbers } = options;
  return {
    name: "questions",
    kind: "question",
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
