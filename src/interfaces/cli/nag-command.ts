import type { Operation } from "../../kernel/operation.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Command } from "./command.ts";
import { operationCommand } from "./operation-command.ts";

/** What is typed for a schedule is meant for a nag where its id is one: people need not know which it is. */
export function orNag(command: Command, nag: Operation): Command {
  const { run } = operationCommand(nag);
  return {
    ...command,
    async run(typed, ports) {
      try {
        return await command.run(typed, ports);
      } catch (error) {
        const isIdAlone = Object.keys(typed.input).join() === "id";
        if (!isIdAlone || !hasCode(error, "not_found")) throw error;
        return run(typed, ports).catch((other: unknown) => {
          throw hasCode(other, "not_found") ? error : other;
        });
      }
    },
  };
}
