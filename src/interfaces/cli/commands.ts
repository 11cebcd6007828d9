import type { CliPorts, CommandEntry, OperationEntry, Run } from "./command.ts";
import { orNag } from "./nag-command.ts";
import { operationRun } from "./operation-command.ts";
import { wholeOutput } from "./output-command.ts";
import { orQuestion } from "./question-command.ts";

/** How a command is run. */
export async function runOf(entry: CommandEntry, commands: CliPorts["commands"]): Promise<Run> {
  const { operation } = entry;
  if (operation === undefined) return (await import("./own-commands.ts")).ownRun(entry.name);
  const run = operationRun(entry, operation);
  const other = otherOf(operation, commands);
  if (other !== undefined) return (operation.name === "answer" ? orQuestion : orNag)(run, other);
  return entry.name === "output" ? wholeOutput(run, operation) : run;
}

/** Operations that are asked when the first finds nothing under an id. */
const others: Readonly<Record<string, string>> = {
  schedule_pause: "pause_nag",
  schedule_resume: "resume_nag",
  answer: "answer_question",
};

function otherOf({ name }: OperationEntry, commands: CliPorts["commands"]): Run | undefined {
  const entry = commands.find(({ operation }) => operation?.name === others[name]);
  return entry?.operation && operationRun(entry, entry.operation);
}
