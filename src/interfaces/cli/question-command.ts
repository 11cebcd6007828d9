import type { Operation } from "../../kernel/operation.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Command } from "./command.ts";
import { operationCommand } from "./operation-command.ts";

const which = "which run, by its id, or which question, by its id or the last letters of that";

/** What asks is a run that waits, or one that has ended and left a question: people need not know which. */
export function orQuestion(command: Command, question: Operation): Command {
  const { run } = operationCommand(question);
  return {
    ...command,
    words: "Answer what a run, or a handler's task, asks, so that it goes on.",
    inputs: command.inputs.map((each) => (each.name === "id" ? { ...each, words: which } : each)),
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
