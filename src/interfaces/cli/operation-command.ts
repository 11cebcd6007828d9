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

/** Asks an operation with the typed input, and prints the answer. */
export function operationRun({ inputs }: CommandEntry, operation: OperationEntry): Run {
  return async (typed, ports) => {
    const input = await inputFrom(typed, inputs, operation, ports);
    checkAnyInput(input, inputs);
    const { columns, color } = ports;
    const format = typed.json ? "json" : { columns, color };
    const { text, isLeft } = await ports.ask(operation, input, format);
    ports.out(text);
    if (isLeft === true) ports.err(await leftForDaemon(ports));
    return exits.done;
  };
}

async function leftForDaemon({ reader }: CliPorts): Promise<string> {
  const { textsOf } = await import("./texts.ts");
  return textsOf((await reader()).language).leftForDaemon;
}

/** The typed input, with values from files and standard input. */
async function inputFrom(
  { input, dashes, jsonFrom = {} }: Typed,
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
    const location = jsonFrom[each.name];
    if (location === undefined) continue;
    const { jsonAt } = await import("./input-file.ts");
    setInput(given, each, await jsonAt(location, each.name, ports));
  }
  const { run } = given;
  if (typeof run === "object" && run !== null) given["run"] = resolvePaths(run, ports.cwd);
  return given;
}

/** Sets an input, which may be a part of another one. */
function setInput(given: Record<string, unknown>, { name, within }: Input, value: unknown): void {
  if (within === undefined) given[name] = value;
  else given[within] = { ...(given[within] as object | undefined), [name]: value };
}

/** When nothing was typed the error needs no daemon. All else is checked by the operation's schema. */
function checkAnyInput(given: GivenInput, inputs: readonly Input[]): void {
  const missing = inputs.filter(({ isRequired }) => isRequired);
  if (missing.length === 0 || Object.values(given).some((value) => value !== undefined)) return;
  throw missingInputs(missing);
}

function missingInputs(inputs: readonly Input[]): DaybookError {
  const problems = inputs.map(({ name, summary }) => ({
    path: name,
    text: `"${name}" is missing: ${summary.replace(/\.$/, "")}`,
  }));
  const sentence = problems.map(({ text }) => text).join("; ");
  return new DaybookError("invalid", `${sentence}.`, { details: { problems } });
}

/** Resolves paths against the working directory, since the daemon runs in another one. A workspace has paths of its own. */
function resolvePaths(run: object, folder: string): object {
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
