import type * as z from "zod";
import type { Operation } from "../../kernel/operation.ts";
import { bare, innerOf } from "../../kernel/schemas.ts";
import type { CommandEntry, GivenInput, OperationEntry } from "./command.ts";
import { flagOf, input, type Input } from "./inputs.ts";

/** Other texts for operations whose command does more. */
const overrides: Readonly<Record<string, { summary: string; id: string }>> = {
  answer_run: {
    summary: "Answer the question of a run or of a handler's task, so that it continues.",
    id: "the id of the run or the question, or the last characters of the question's id",
  },
};

/** Inputs of commands that do more than to ask their operation. */
const ownInputs: Readonly<Record<string, readonly Input[]>> = {
  cancel_notifications: [input("--yes", "cancel without asking", { kind: "switch" })],
  connect_calendar: [input("--no-browser", "only print the page to open", { kind: "switch" })],
};

/** The inputs of commands that find out those of their operation by themselves. */
const otherInputs: Readonly<Record<string, (own: readonly Input[]) => readonly Input[]>> = {
  export_book: (own) => own.filter(({ name }) => name !== "after"),
  import_book: (own) => [
    input(
      "FILE",
      "what daybook export wrote, or a JSON file with notifications of another ledger",
      {
        name: "lines",
      },
    ),
    ...own.filter(({ name }) => name === "dry_run"),
    input(
      "--target",
      "where to send such notifications, as channel:address. Default: the owner's home, else all attached listeners",
    ),
  ],
};

/** The manifest's entry for an operation. */
export function entryOf(operation: Operation): CommandEntry {
  const { name, summary: words, command, example } = operation;
  const override = overrides[name];
  const own = inputsOf(operation);
  const inputs = otherInputs[name]?.(own) ?? own;
  return {
    name: command.name,
    ...(command.aliases && { aliases: command.aliases }),
    summary: override?.summary ?? words,
    inputs:
      override === undefined
        ? [...inputs, ...(ownInputs[name] ?? [])]
        : inputs.map((each) => (each.name === "id" ? { ...each, summary: override.id } : each)),
    hasJson: true,
    operation: operationEntry(operation),
    ...(example && { example: commandLine(operation, example) }),
  };
}

function operationEntry({ name, effect, route, aliases, command }: Operation): OperationEntry {
  const { method, path, bodyBytesMax } = route;
  return {
    name,
    effect,
    route: { method, path, ...(bodyBytesMax !== undefined && { bodyBytesMax }) },
    ...(aliases && { aliases }),
    ...(command.file !== undefined && { file: command.file }),
  };
}

/** The command line for an input. */
function commandLine({ command }: Operation, input: GivenInput): string {
  const { name, positionals, file } = command;
  const flags = Object.keys(input).filter((each) => !positionals.includes(each));
  return [
    name,
    ...positionals
      .filter((each) => Object.hasOwn(input, each))
      .map((each) => (each === file ? "FILE" : word(input, each))),
    ...flags.flatMap((each) =>
      input[each] === true ? [flagOf(each)] : [flagOf(each), word(input, each)],
    ),
  ].join(" ");
}

/** Texts are quoted even where they need not be; an id is cut. */
function word(input: GivenInput, name: string): string {
  const text = String(input[name]);
  if (name === "id") return `${text.slice(0, 8)}-…`;
  return name === "message" || /\s/.test(text) ? `"${text}"` : text;
}

/** The inputs of an operation, read from its schema. */
function inputsOf(operation: Operation): readonly Input[] {
  const { input, command, aliases = {} } = operation;
  const own = partsOf(input.shape, command.file).map(({ name, schema, within }) => ({
    name,
    label: labelOf(name, command),
    summary: summaryOf(schema),
    isRequired: within === undefined && !schema.safeParse(undefined).success,
    kind: kindFor(name, schema, command),
    values: valuesOf(schema),
    aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
    ...(within === undefined ? {} : { within }),
  }));
  // Positionals first, in the order they are typed; the rest of the line last.
  const rank = ({ name, kind }: Input): number => {
    const at = command.positionals.indexOf(name);
    return at === -1 ? own.length + (kind === "rest" ? 1 : 0) : at;
  };
  return own.toSorted((a, b) => rank(a) - rank(b));
}

interface Part {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly within?: string;
}

/** The parts of an object have flags of their own, unless it is read from a file; a union of objects has none. */
function partsOf(shape: z.ZodObject["shape"], file?: string): readonly Part[] {
  return Object.entries(shape).flatMap(([name, type]): Part[] => {
    const schema = type as z.ZodType;
    const { def } = bare(schema);
    const { options = [] } = def as { options?: readonly z.ZodType[] };
    if (options.length > 0 && options.every((each) => bare(each).def.type === "object")) return [];
    if (def.type !== "object" || name === file) return [{ name, schema }];
    const inner = partsOf((def as unknown as Pick<z.ZodObject, "shape">).shape);
    return inner.map((part) => ({ ...part, within: name }));
  });
}

function kindFor(
  name: string,
  schema: z.ZodType,
  { file, rest }: Operation["command"],
): Input["kind"] {
  if (name === rest) return "rest";
  return name === file ? "text" : kindOf(schema);
}

function labelOf(name: string, { positionals, file, rest }: Operation["command"]): string {
  if (name === file) return "FILE";
  if (name === rest) return `-- ${name.toUpperCase()}`;
  return positionals.includes(name) ? name.toUpperCase() : flagOf(name);
}

function summaryOf(schema: z.ZodType): string {
  const inner = innerOf(schema);
  return schema.description ?? (inner === undefined ? "" : summaryOf(inner));
}

function kindOf(schema: z.ZodType): Input["kind"] {
  const { type } = bare(schema).def;
  if (type === "boolean") return "switch";
  if (type === "array") return "list";
  if (type === "unknown" || type === "record") return "json";
  return type === "number" ? "number" : "text";
}

function valuesOf(schema: z.ZodType): readonly string[] {
  const { type, entries } = bare(schema).def as { type: string; entries?: object };
  return type === "enum" ? Object.values(entries ?? {}).map(String) : [];
}
