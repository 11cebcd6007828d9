import type { Operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { attach } from "./attach.ts";
import type { CliPorts, Command } from "./command.ts";
import { completion } from "./completion.ts";
import { configCommands } from "./config-commands.ts";
import { doctor } from "./doctor.ts";
import { orNag } from "./nag-command.ts";
import { on } from "./on.ts";
import { operationCommand } from "./operation-command.ts";
import { wholeOutput } from "./output-command.ts";
import { orQuestion } from "./question-command.ts";
import { mcp, start } from "./serve.ts";
import { status } from "./status.ts";
import { wrap } from "./wrap.ts";

/** What is typed and is no operation: it is about this machine, not about a book. */
export const ownCommands: readonly Command[] = [
  attach,
  on,
  wrap,
  start,
  status,
  doctor,
  ...configCommands,
  mcp,
  completion(allCommands),
].map(checked);

/** Everything that can be typed. */
export async function allCommands(ports: CliPorts): Promise<readonly Command[]> {
  const table = await ports.table();
  return [...table.map((each) => commandOf(each, table)), ...ownCommands];
}

function commandOf(operation: Operation, table: readonly Operation[]): Command {
  const command = operationCommand(operation);
  const nag = table.find(({ name }) => name === alsoForNags[operation.name]);
  if (nag !== undefined) return orNag(command, nag);
  const question = table.find(({ name }) => name === "answer_question");
  if (operation.name === "answer" && question !== undefined) return orQuestion(command, question);
  return command.name === "output" ? wholeOutput(command, operation) : command;
}

const alsoForNags: Readonly<Record<string, string>> = {
  schedule_pause: "pause_nag",
  schedule_resume: "resume_nag",
};

/** Operations check their own input: this says the same of the others. */
function checked(command: Command): Command {
  return {
    ...command,
    run(typed, ports) {
      const problems = command.inputs.flatMap(({ name, words, values, isRequired }) => {
        const given = typed.input[name];
        if (given === undefined) return isRequired ? [`"${name}" is missing: ${words}`] : [];
        if (values.length === 0 || (typeof given === "string" && values.includes(given))) return [];
        return [`"${name}" must be one of ${values.join(", ")}`];
      });
      if (problems.length === 0) return command.run(typed, ports);
      throw new DaybookError("invalid", `${problems.join("; ")}.`, { details: { problems } });
    },
  };
}
