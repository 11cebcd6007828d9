import { DaybookError, toErrorData } from "../../platform/errors.ts";
import { harmless } from "../../platform/text.ts";
import { readArguments } from "./arguments.ts";
import { exitOf, exits, type CliPorts, type Command } from "./command.ts";
import { allCommands, ownCommands } from "./commands.ts";
import { match, noCommand, noSecond, type Found } from "./find.ts";
import { inFlags } from "./in-flags.ts";

/** Runs one command line and answers the exit status. */
export async function runCli(typed: readonly string[], ports: CliPorts): Promise<number> {
  try {
    return await dispatch(typed, ports);
  } catch (error) {
    return fail(error, asksForJson(typed), ports);
  }
}

async function dispatch(typed: readonly string[], ports: CliPorts): Promise<number> {
  const [first, ...rest] = typed;
  switch (first) {
    case undefined:
    case "help":
    case "--help":
    case "-h":
      ports.out(await about(rest, ports));
      return exits.done;
    case "--version":
      ports.out(ports.version);
      return exits.done;
    default:
      return follow(await find(typed, ports), ports);
  }
}

async function about(typed: readonly string[], ports: CliPorts): Promise<string> {
  // Loaded when it is asked for: its examples bring all the operations.
  const { help, helpFor, helpForFamily } = await import("./help.ts");
  const { language } = ports.reader();
  if (typed.length === 0) return help(await allCommands(ports), language);
  const found = await find(typed, ports);
  if ("command" in found) return helpFor(found.command, language);
  if (found.rest.length > 0) throw noSecond(found.family, found.rest[0]);
  return helpForFamily(found.family, language);
}

/** The operations are looked at last: loading them takes a while, and our own commands do without. */
async function find(typed: readonly string[], ports: CliPorts): Promise<Found> {
  const own = match(typed, ownCommands);
  if (own !== undefined && "command" in own) return own;
  const all = await allCommands(ports);
  const found = match(typed, all);
  if (found === undefined) throw noCommand(typed[0] ?? "", all);
  return found;
}

async function follow(found: Found, ports: CliPorts): Promise<number> {
  if ("command" in found) return run(found.command, found.rest, ports);
  const [next] = found.rest;
  if (next !== "--help" && next !== "-h") throw noSecond(found.family, next);
  const { helpForFamily } = await import("./help.ts");
  ports.out(helpForFamily(found.family, ports.reader().language));
  return exits.done;
}

async function run(command: Command, rest: readonly string[], ports: CliPorts): Promise<number> {
  const { help, noColor, config, ...typed } = readArguments(command, rest);
  const under = config === undefined ? ports : ports.using(config);
  if (!help) {
    const running = command.run(typed, noColor ? { ...under, color: false } : under);
    return running.catch((error: unknown) => {
      throw typed.json ? error : inFlags(error, command, typed); // programs know the names
    });
  }
  const { helpFor } = await import("./help.ts");
  ports.out(helpFor(command, ports.reader().language));
  return exits.done;
}

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
