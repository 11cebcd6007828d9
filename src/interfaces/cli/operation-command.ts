import { resolve } from "node:path";
import { DaybookError } from "../../platform/errors.ts";
import {
  exits,
  type CliPorts,
  type CommandEntry,
  type GivenInput,
  type OperationEntry,
  type Run,
  type Typed,
} from "./command.ts";
import { readsStdin, type Input } from "./inputs.ts";

/** Asks an operation with what was typed, and prints the answer. */
export function operationRun({ inputs }: CommandEntry, operation: OperationEntry): Run {
  return async (typed, ports) => {
    const input = await inputFrom(typed, inputs, operation, ports);
    checkAnyInput(input, inputs);
    const { text } = await ports.ask(operation, input, typed.json ? "json" : "text");
    ports.out(text);
    return exits.done;
  };
}

/** What was typed, with what it says is in a file or comes in. */
async function inputFrom(
  { input, dashes, elsewhere = {} }: Typed,
  inputs: readonly Input[],
  { file }: OperationEntry,
  ports: CliPorts,
): Promise<GivenInput> {
  let given: Record<string, unknown> = { ...input };
  for (const { name } of inputs.filter(readsStdin)) {
    const isDash = dashes.includes(name);
    if (isDash) given[name] = await (await import("./input-file.ts")).readStdin(ports.stdin());
    const text = given[name];
    if (name !== file || typeof text !== "string") continue;
    const { fromJson, readFile } = await import("./input-file.ts");
    given = { ...given, ...fromJson(name, isDash ? text : await readFile(text, ports)) };
  }
  for (const each of inputs) {
    const where = elsewhere[each.name];
    if (where === undefined) continue;
    const { jsonAt } = await import("./input-file.ts");
    put(given, each, await jsonAt(where, each.name, ports));
  }
  const { run } = given;
  if (typeof run === "object" && run !== null) given["run"] = placed(run, ports.cwd);
  return given;
}

/** Where it belongs: it may be a part of another input. */
function put(given: Record<string, unknown>, { name, within }: Input, value: unknown): void {
  if (within === undefined) given[name] = value;
  else given[within] = { ...(given[within] as object | undefined), [name]: value };
}

/** With nothing typed it is known what is missing, whoever is asked. All else is checked by the operation's schema. */
function checkAnyInput(given: GivenInput, inputs: readonly Input[]): void {
  const missing = inputs.filter(({ isRequired }) => isRequired);
  if (missing.length === 0 || Object.values(given).some((value) => value !== undefined)) return;
  throw missingInputs(missing);
}

function missingInputs(inputs: readonly Input[]): DaybookError {
  const problems = inputs.map(({ name, summary }) => ({
    path: name,
    text: `"${name}" is missing: ${summary}`,
  }));
  const sentence = problems.map(({ text }) => text).join("; ");
  return new DaybookError("invalid", `${sentence}.`, { details: { problems } });
}

/** Paths are meant as the shell reads them: whoever runs them stands in another folder. In a workspace are others. */
function placed(run: object, folder: string): object {
  if ("in" in run) return run;
  const {
    command: [program, ...words] = [],
    cwd,
    ...rest
  } = run as {
    readonly command?: readonly string[];
    readonly cwd?: string;
  };
  const file = program?.includes("/") === true ? resolve(folder, program) : program;
  return {
    ...rest,
    ...("command" in run && { command: file === undefined ? [] : [file, ...words] }),
    ...(cwd !== undefined && { cwd: resolve(folder, cwd) }),
  };
}
