import { canSign, noSigning } from "../../features/events/index.ts";
import { allowedProgram } from "../../features/tasks/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { permit } from "../../platform/permit.ts";
import { isTree, pathText, valueAt, type Path } from "../../platform/settings/tree.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { layerOf, type Layer } from "./layers.ts";

interface CheckedSettings {
  /** As written. Problems of its form are reported by the schema. */
  readonly tree: unknown;
  readonly layers: readonly Layer[];
  /** Where commands run; null: only functions run here. */
  readonly folder: string | null;
  /** Reports what may be right for the daemon, whose environment differs from this one. */
  warn(line: string): void;
}

type Line = (path: Path, says: string) => string;

/** The problems of handlers with other sections and with each other, one line each. */
export function problemsAcross(checked: CheckedSettings): readonly string[] {
  const { tree, layers } = checked;
  const lineOf: Line = (path, says) =>
    `${layerOf(layers, path)?.name(path) ?? pathText(path)} ${says}`;
  return [
    ...doubleTypes(tree, lineOf),
    ...entriesAt(tree, "handlers").flatMap(([name, one]) =>
      runProblems(["handlers", name, "run"], valueAt(one, ["run"]), { ...checked, lineOf }),
    ),
  ];
}

function entriesAt(tree: unknown, key: string): readonly (readonly [string, unknown])[] {
  const at = valueAt(tree, [key]);
  return isTree(at) ? Object.entries(at) : [];
}

function listAt(tree: unknown, path: Path): readonly unknown[] {
  const at = valueAt(tree, path);
  return Array.isArray(at) ? (at as readonly unknown[]) : [];
}

/** Each type has one handler, so that the order of the file does not matter. */
function doubleTypes(tree: unknown, lineOf: Line): readonly string[] {
  const handlersOf = new Map<unknown, string>();
  return entriesAt(tree, "handlers").flatMap(([name, one]) =>
    listAt(one, ["subscribes"]).flatMap((type, at) => {
      const handler = handlersOf.get(type);
      handlersOf.set(type, handler ?? name);
      if (handler === undefined || typeof type !== "string") return [];
      const path = ["handlers", name, "subscribes", at];
      if (handler === name) return [lineOf(path, `is ${quote(type)} again: leave one out`)];
      const whose = `which ${pathText(["handlers", handler])} subscribes to already`;
      return [lineOf(path, `is ${quote(type)}, ${whose}: leave it to one of them`)];
    }),
  );
}

/** The names of built-in runners. */
const builtIn: readonly unknown[] = ["command", "http", "agent", "ping", "workspace"];

function runProblems(
  path: Path,
  run: unknown,
  { tree, folder, lineOf, warn }: CheckedSettings & { lineOf: Line },
): readonly string[] {
  const [program] = listAt(run, ["command"]);
  const [agent, http, secret, task] = ["agent", "http", "secret", "task"].map((key) =>
    valueAt(run, [key]),
  );
  if (folder === null)
    return [...reserved(path, task, lineOf), ...onlyFunctions(path, run, lineOf)];
  const problems: string[] = [];
  // A command in a container needs no permission on this computer.
  const isContained =
    valueAt(run, ["in"]) !== undefined && valueAt(tree, ["machines"]) === "docker";
  if (typeof program === "string" && !isContained && !isAllowed(program, tree, folder)) {
    const line = `allow: [${oneLine(program, 200)}]`;
    const advice = `put ${line} under runners.command, or set DAYBOOK_ALLOW_COMMANDS`;
    warn(lineOf([...path, "command"], `is not allowed to run here: ${advice}`));
  }
  if (agent !== undefined && valueAt(tree, ["runners", "agent"]) === undefined) {
    problems.push(lineOf([...path, "agent"], "needs an agent: set runners.agent"));
  }
  if (typeof http === "string") {
    problems.push(...httpProblems(path, { http, secret }, { tree, lineOf }));
  }
  if (typeof task === "string" && !builtIn.includes(task)) {
    const advice = "no function of this name runs here; an app that embeds this book may have it";
    warn(lineOf([...path, "task"], `is ${quote(task)}: ${advice}`));
  }
  return [...problems, ...reserved(path, task, lineOf)];
}

function reserved(path: Path, task: unknown, lineOf: Line): readonly string[] {
  if (!builtIn.includes(task)) return [];
  const says = `is ${quote(String(task))}, which is a built-in runner: name one of your functions`;
  return [lineOf([...path, "task"], says)];
}

/** A program that opens a book runs only its own functions. */
function onlyFunctions(path: Path, run: unknown, lineOf: Line): readonly string[] {
  const others = (["command", "agent", "http"] as const).filter(
    (key) => valueAt(run, [key]) !== undefined,
  );
  const advice = "write { task: NAME }, or leave run out for workers elsewhere";
  return others.map((key) => lineOf([...path, key], `is for a daemon: ${advice}`));
}

function isAllowed(program: string, tree: unknown, folder: string): boolean {
  const allow = listAt(tree, ["runners", "command", "allow"]).map(String);
  const isAll = allow.some((each) => each === "all" || each === "1");
  return isAll || allowedProgram(program, allow, folder) !== undefined;
}

function httpProblems(
  path: Path,
  { http, secret }: { http: string; secret: unknown },
  { tree, lineOf }: { tree: unknown; lineOf: Line },
): readonly string[] {
  const problems: string[] = [];
  const hosts = listAt(tree, ["channels", "webhook", "allow"]).map(String);
  try {
    permit(http, hosts);
  } catch (error) {
    problems.push(lineOf([...path, "http"], `cannot be called. ${messageOf(error)}`));
  }
  if (secret === undefined) {
    problems.push(lineOf([...path, "secret"], "is missing: write { env: NAME } or { file: PATH }"));
  }
  if (!canSign(secret)) problems.push(lineOf([...path, "secret"], noSigning));
  return problems;
}
