import { hasCode } from "../base/errors.ts";
import type { Operation } from "../operations/operation.ts";
import type { Command } from "./command.ts";
import { operationCommand } from "./operation-command.ts";

/** What asks is a run that waits, or one that has ended and left a question: people need not know which. */
export function orQuestion(command: Command, question: Operation): Command {
  const { run } = operationCommand(question);
  return {
    ...command,
    async run(typed, ports) {
      try {
        return await command.run(typed, ports);
      } catch (error) {
        const isOther = "revision" in typed.input || !hasCode(error, "not_found");
        if (isOther) throw error;
        return run(typed, ports);
      }
    },
  };
}
