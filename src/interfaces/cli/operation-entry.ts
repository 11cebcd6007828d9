import { exampleFor } from "../../features/examples/examples.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { CommandEntry, GivenInput, OperationEntry } from "./command.ts";
import { flagOf, type Input } from "./inputs.ts";
import { inputsOf } from "./operation-inputs.ts";

/** What the command line says of an operation in other words, because its command does more. */
const changed: Readonly<Record<string, { summary: string; id: string }>> = {
  answer: {
    summary: "Answer what a run, or a handler's task, asks, so that it goes on.",
    id: "which run, by its id, or which question, by its id or the last letters of that",
  },
};

/** An operation as the manifest has it. */
export function entryOf(operation: Operation): CommandEntry {
  const { name, summary: words, command } = operation;
  const change = changed[name];
  const inputs: readonly Input[] = inputsOf(operation);
  const example = exampleFor(name);
  return {
    name: command.name,
    summary: change?.summary ?? words,
    inputs:
      change === undefined
        ? inputs
        : inputs.map((each) => (each.name === "id" ? { ...each, summary: change.id } : each)),
    hasJson: true,
    operation: askedAs(operation),
    ...(example && { example: typed(operation, example.input as GivenInput) }),
  };
}

function askedAs({ name, effect, route, aliases, command }: Operation): OperationEntry {
  const { method, path, bodyBytesMax } = route;
  return {
    name,
    effect,
    route: { method, path, ...(bodyBytesMax !== undefined && { bodyBytesMax }) },
    ...(aliases && { aliases }),
    ...(command.file !== undefined && { file: command.file }),
  };
}

/** An input as it is typed. */
function typed({ command }: Operation, input: GivenInput): string {
  const { name, positionals } = command;
  const flags = Object.keys(input).filter((each) => !positionals.includes(each));
  return [
    name,
    ...positionals.filter((each) => Object.hasOwn(input, each)).map((each) => word(input, each)),
    ...flags.flatMap((each) =>
      input[each] === true ? [flagOf(each)] : [flagOf(each), word(input, each)],
    ),
  ].join(" ");
}

/** Texts are quoted, so that nobody wonders whether they must be; an id is cut. */
function word(input: GivenInput, name: string): string {
  const text = String(input[name]);
  if (name === "id") return `${text.slice(0, 8)}-…`;
  return name === "message" || /\s/.test(text) ? `"${text}"` : text;
}
