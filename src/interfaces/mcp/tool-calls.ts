import type { Operation } from "../../kernel/operation.ts";
import { inputName, inputSchemaOf } from "./tool.ts";

/** Rewrites a text of an operation; text that the data contains is somebody's own and stays. */
export type ToToolCalls = (text: string, operation: Operation, data?: unknown) => string;

/** Words up to the end of a clause: punctuation ends one where a space or nothing follows. */
const clause =
  /^daybook ((?:[^\s`.,;:)]|[.,;:)](?=[^\s`]))+(?: (?:[^\s`.,;:)]|[.,;:)](?=[^\s`]))+)*)/;
const flag = /(?<=^|[\s(])--([a-z][a-z-]*)(?: ([^\s`.,;:)]+))?/gm;

/**
 * Texts name commands, for people. Agents have no terminal: for them each command becomes the tool with its arguments,
 * and each flag the argument. Commands that no tool has stay, since a person must type them.
 */
export function toToolCalls(operations: readonly Operation[]): ToToolCalls {
  const callable = operations.filter(({ tool }) => tool !== "never");
  const byCommand = new Map(
    callable.flatMap((operation) => {
      const { name, aliases = [] } = operation.command;
      return [name, ...aliases].map((command) => [command, operation] as const);
    }),
  );
  return (text, operation, data = null) => {
    const own = JSON.stringify(data);
    const isOwn = (words: string): boolean => own.includes(JSON.stringify(words).slice(1, -1));
    const commands = text
      .split(/(?=\bdaybook [a-z])/)
      .map((part) => {
        const [typed, words] = clause.exec(part) ?? [];
        if (typed === undefined || words === undefined) return part;
        const call = callIn(words.split(" "), byCommand);
        if (call === undefined || isOwn(typed.slice(0, typed.length - call.rest.length)))
          return part;
        return `${call.text}${call.rest}${part.slice(typed.length)}`;
      })
      .join("");
    return commands.replaceAll(flag, (typed, name: string, value?: string) => {
      const found = argumentOf(operation, name, value);
      if (found === undefined || isOwn(typed)) return typed;
      const rest = found.usesValue || value === undefined ? "" : ` ${value}`;
      return `"${found.name}": ${JSON.stringify(found.value)}${rest}`;
    });
  };
}

/** Words that go on with the sentence. */
const conjunctions = ["and", "or", "to", "if", "when", "for", "with"];

interface ToolCall {
  readonly text: string;
  /** The words that belong to the sentence, not to the command. */
  readonly rest: string;
}

function callIn(
  words: readonly string[],
  byCommand: ReadonlyMap<string, Operation>,
): ToolCall | undefined {
  for (const count of [2, 1]) {
    const last = words[count - 1] ?? "";
    // In Korean, a particle may follow the command without a space.
    const [verb = ""] = /^[a-z-]*/.exec(last) ?? [];
    const operation = byCommand.get([...words.slice(0, count - 1), verb].join(" "));
    if (operation === undefined) continue;
    const after = words.slice(count);
    const end = after.findIndex((word) => conjunctions.includes(word));
    const typed = end === -1 ? after : after.slice(0, end);
    const given = last === verb ? argumentsIn(typed, operation) : undefined;
    const rest = given === undefined ? after : after.slice(typed.length);
    const sentence = `${last.slice(verb.length)}${rest.map((word) => ` ${word}`).join("")}`;
    if (given === undefined) return { text: operation.name, rest: sentence };
    const parts = Object.entries(given).map(
      ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
    );
    const input = parts.length === 0 ? "" : ` {${parts.join(", ")}}`;
    return { text: `${operation.name}${input}`, rest: sentence };
  }
  return undefined;
}

/** The input that was typed; undefined when the words are not arguments. */
function argumentsIn(
  words: readonly string[],
  operation: Operation,
): Readonly<Record<string, unknown>> | undefined {
  const positionals = [...operation.command.positionals];
  const given: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("--")) {
      const name = positionals.shift();
      if (name === undefined) return undefined;
      given[inputName(operation, name)] = word;
      continue;
    }
    const found = argumentOf(operation, word.slice(2), words[at + 1]);
    if (found === undefined) return undefined;
    given[found.name] = found.value;
    if (found.usesValue) at += 1;
  }
  return given;
}

/** The input of a flag, with its value. */
function argumentOf(
  operation: Operation,
  flagName: string,
  value: string | undefined,
): { name: string; value: unknown; usesValue: boolean } | undefined {
  const name = flagName.replaceAll("-", "_");
  const { properties = {} } = inputSchemaOf(operation);
  if (!Object.hasOwn(properties, name)) return undefined;
  const { type } = properties[name] as { type?: unknown };
  if (type === "boolean") return { name, value: true, usesValue: false };
  const isNumber = type === "integer" || type === "number";
  const given = value === undefined ? "…" : isNumber ? Number(value) : value;
  return { name, value: given, usesValue: value !== undefined };
}
