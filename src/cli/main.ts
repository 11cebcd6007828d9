import { DaybookError, toErrorData, type ErrorCode } from "../base/errors.ts";
import type { Operation } from "../operations/operation.ts";
import { nearest } from "../rules/nearest.ts";
import { harmless, quote } from "../rules/text.ts";
import { readArguments } from "./arguments.ts";
import { checkInput } from "./check.ts";
import { exits, type CliPorts } from "./command.ts";
import { help, helpFor, helpForStart } from "./help.ts";

/** Runs one command line and answers the exit status. */
export async function runCli(typed: readonly string[], ports: CliPorts): Promise<number> {
  try {
    return await dispatch(typed, ports);
  } catch (error) {
    return fail(error, asksForJson(typed), ports);
  }
}

async function dispatch([name, ...rest]: readonly string[], ports: CliPorts): Promise<number> {
  switch (name) {
    case undefined:
    case "help":
    case "--help":
    case "-h":
      ports.out(about(rest[0], await ports.operations()));
      return exits.done;
    case "--version":
      ports.out(ports.version);
      return exits.done;
    case "start":
      return start(rest, ports);
    default:
      return ask(find(name, await ports.operations()), rest, ports);
  }
}

async function start(typed: readonly string[], ports: CliPorts): Promise<number> {
  const [word] = typed;
  if (word === "--help" || word === "-h") {
    ports.out(helpForStart);
    return exits.done;
  }
  if (word !== undefined) {
    throw new DaybookError("invalid", `start takes nothing: leave out ${quote(word)}.`);
  }
  await ports.serve();
  return exits.done;
}

function about(name: string | undefined, operations: readonly Operation[]): string {
  if (name === undefined) return help(operations);
  return name === "start" ? helpForStart : helpFor(find(name, operations));
}

function find(name: string, operations: readonly Operation[]): Operation {
  const found = operations.find(({ command }) => command.name === name);
  if (found !== undefined) return found;
  if (name.startsWith("-")) {
    throw new DaybookError("invalid", `The command comes before ${quote(name)}: see daybook help.`);
  }
  const known = ["start", "help", ...operations.map(({ command }) => command.name)];
  const meant = nearest(name, known);
  const advice = meant === undefined ? "see daybook help." : `did you mean ${meant}?`;
  throw new DaybookError("invalid", `There is no command ${quote(name)}: ${advice}`);
}

async function ask(
  operation: Operation,
  typed: readonly string[],
  ports: CliPorts,
): Promise<number> {
  const asked = readArguments(operation, typed);
  if (asked.help) {
    ports.out(helpFor(operation));
    return exits.done;
  }
  const input = checkInput(operation, asked.input);
  await ports.withBook(async (context) => {
    const output = await operation.run(input, context);
    ports.out(asked.json ? JSON.stringify(output) : operation.say(output, context));
  });
  return exits.done;
}

const exitOf: { readonly [Code in ErrorCode]: number } = {
  invalid: exits.badInput,
  too_large: exits.badInput,
  not_found: exits.notFound,
  conflict: exits.conflict,
  held: exits.conflict,
  stale: exits.conflict,
  ended: exits.conflict,
  leased: exits.conflict,
  refused: exits.refused,
  busy: exits.unreachable,
  unavailable: exits.unreachable,
  unsupported: exits.unreachable,
  closed: exits.unreachable,
  unknown: exits.failed,
  bug: exits.failed,
};

function fail(error: unknown, json: boolean, ports: CliPorts): number {
  const exit = error instanceof DaybookError ? exitOf[error.code] : exits.failed;
  if (json) ports.err(JSON.stringify({ error: toErrorData(error) }));
  else if (error instanceof DaybookError) ports.err(`daybook: ${harmless(error.message)}`);
  else ports.err(`daybook: this is a bug in Daybook, please report it.\n${describe(error)}`);
  return exit;
}

/** Known even when the rest cannot be read. */
function asksForJson(typed: readonly string[]): boolean {
  const end = typed.indexOf("--");
  return typed.slice(0, end === -1 ? undefined : end).includes("--json");
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
