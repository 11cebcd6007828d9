import { resolve } from "node:path";
import { checkInput } from "../../kernel/check-input.ts";
import type { Operation } from "../../kernel/operation.ts";
import { exits, type Command } from "./command.ts";
import { inputsOf, readsStdin, type Input } from "./inputs.ts";
import { fromJson, jsonAt, readFile } from "./json-file.ts";
import { readStdin } from "./stdin.ts";

/** An operation as it is typed. */
export function operationCommand(operation: Operation): Command {
  const inputs = inputsOf(operation);
  const { file } = operation.command;
  return {
    name: operation.command.name,
    words: operation.words,
    inputs,
    hasJson: true,
    async run({ input, dashes, elsewhere = {}, json }, ports) {
      let given: Record<string, unknown> = { ...input };
      for (const { name } of inputs.filter(readsStdin)) {
        if (dashes.includes(name)) given[name] = await readStdin(ports.stdin());
        const text = given[name];
        if (name !== file || typeof text !== "string") continue;
        const read = dashes.includes(name) ? text : await readFile(text, ports);
        given = { ...given, ...fromJson(name, read) };
      }
      for (const each of inputs) {
        const where = elsewhere[each.name];
        if (where !== undefined) put(given, each, await jsonAt(where, each.name, ports));
      }
      const { run } = given;
      if (typeof run === "object" && run !== null) given["run"] = placed(run, ports.cwd);
      // Before the book is opened or a daemon is asked, which check again.
      checkInput(operation, given);
      const { output, reader } = await ports.ask(operation, given);
      ports.out(json ? JSON.stringify(output) : operation.say(output, reader));
      return exits.done;
    },
  };
}

/** Where it belongs: it may be a part of another input. */
function put(given: Record<string, unknown>, { name, within }: Input, value: unknown): void {
  if (within === undefined) given[name] = value;
  else given[within] = { ...(given[within] as object | undefined), [name]: value };
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
