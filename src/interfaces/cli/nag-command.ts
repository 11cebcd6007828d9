import { hasCode } from "../../platform/errors.ts";
import type { Run } from "./command.ts";

/** What is typed for a schedule is meant for a nag where its id is one: people need not know which it is. */
export function orNag(run: Run, runNag: Run): Run {
  return async (typed, ports) => {
    try {
      return await run(typed, ports);
    } catch (error) {
      const isIdAlone = Object.keys(typed.input).join() === "id";
      if (!isIdAlone || !hasCode(error, "not_found")) throw error;
      return runNag(typed, ports).catch((other: unknown) => {
        throw hasCode(other, "not_found") ? error : other;
      });
    }
  };
}
