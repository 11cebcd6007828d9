import { hasCode } from "../../platform/errors.ts";
import type { Run } from "./command.ts";

/** What asks is a run that waits, or one that has ended and left a question: people need not know which. */
export function orQuestion(run: Run, runQuestion: Run): Run {
  return async (typed, ports) => {
    try {
      return await run(typed, ports);
    } catch (error) {
      const isOther = "revision" in typed.input || !hasCode(error, "not_found");
      if (isOther) throw error;
      return runQuestion(typed, ports);
    }
  };
}
