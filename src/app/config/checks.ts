import { canSign, noSigning } from "../../features/events/index.ts";
import { allowedProgram } from "../../features/tasks/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { permit } from "../../platform/permit.ts";
import { isTree, pathText, valueAt, type Path } from "../../platform/settings/tree.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { layerOf, type Layer } from "./layers.ts";

interface Looked {
  /** As it was read, and perhaps wrong: what is wrong with its form is told beside. */
  readonly tree: unknown;
  readonly layers: readonly Layer[];
  /** Where commands run; null: nothing but functions runs here. */
  readonly folder: string | null;
  /** Hears of what may be right where the daemon runs, and is not here: its variables are its own. */
  warn(line: string): void;
}

type Say = (path: Path, says: string) => string;

/** What is wrong with handlers, sources and hooks beside one another and the rest: a line each. */
export function problemsAcross(looked: Looked): readonly string[] {
  const { tree, layers } = looked;
  const say: Say = (path, says) => `${layerOf(layers, path)?.name(path) ?? pathText(path)} ${says}`;
  return [
    ...takenTypes(tree, say),
    ...entriesAt(tree, "handlers").flatMap(([name, one]) =>
      runProblems(["handlers", name, "run"], valueAt(one, ["run"]), { ...looked, say }),
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

/** Each type has one handler, or it would depend on the order of a file who does the work. */
function takenTypes(tree: unknown, say: Say): readonly string[] {
  const takers = new Map<unknown, string>();
  return entriesAt(tree, "handlers").flatMap(([name, one]) =>
    listAt(one, ["subscribes"]).flatMap((type, at) => {
      const taker = takers.get(type);
      takers.set(type, taker ?? name);
      if (taker === undefined || typeof type !== "string") return [];
      const path = ["handlers", name, "subscribes", at];
      if (taker === name) return [say(path, `is ${quote(type)} again: leave one out`)];
      const whose = `which ${pathText(["handlers", taker])} subscribes to already`;
      return [say(path, `is ${quote(type)}, ${whose}: leave it to one of them`)];
    }),
  );
}

/** Names that no function of theirs has. */
const ours: readonly unknown[] = ["command", "http", "agent", "ping", "workspace"];

function runProblems(
  path: Path,
  run: unknown,
  { tree, folder, say, warn }: Looked & { say: Say },
): readonly string[] {
  const [program] = listAt(run, ["command"]);
  const [agent, http, secret, task] = ["agent", "http", "secret", "task"].map((key) =>
    valueAt(run, [key]),
  );
  if (folder === null) return [...reserved(path, task, say), ...onlyFunctions(path, run, say)];
  const problems: string[] = [];
  // What runs in a container needs no leave to run here.
  const isApart = valueAt(run, ["in"]) !== undefined && valueAt(tree, ["machines"]) === "docker";
  if (typeof program === "string" && !isApart && !isAllowed(program, tree, folder)) {
    const line = `allow: [${oneLine(program, 200)}]`;
    const advice = `put ${line} under runners.command, or set DAYBOOK_ALLOW_COMMANDS`;
    warn(say([...path, "command"], `is not allowed to run here: ${advice}`));
  }
  if (agent !== undefined && valueAt(tree, ["runners", "agent"]) === undefined) {
    problems.push(say([...path, "agent"], "has no agent here: set runners.agent"));
  }
  if (typeof http === "string") {
    problems.push(...httpProblems(path, { http, secret }, { tree, say }));
  }
  if (typeof task === "string" && !ours.includes(task)) {
    const advice = "no function of this name runs here; an app that embeds this book may have it";
    warn(say([...path, "task"], `is ${quote(task)}: ${advice}`));
  }
  return [...problems, ...reserved(path, task, say)];
}

function reserved(path: Path, task: unknown, say: Say): readonly string[] {
  if (!ours.includes(task)) return [];
  const says = `is ${quote(String(task))}, which is a runner of ours: name a function of yours`;
  return [say([...path, "task"], says)];
}

/** A program that opens a book runs its own functions. */
function onlyFunctions(path: Path, run: unknown, say: Say): readonly string[] {
  const others = (["command", "agent", "http"] as const).filter(
    (key) => valueAt(run, [key]) !== undefined,
  );
  const advice = "write { task: NAME }, or leave run out for workers elsewhere";
  return others.map((key) => say([...path, key], `is for a daemon: ${advice}`));
}

function isAllowed(program: string, tree: unknown, folder: string): boolean {
  const allow = listAt(tree, ["runners", "command", "allow"]).map(String);
  const isAll = allow.some((each) => each === "all" || each === "1");
  return isAll || allowedProgram(program, allow, folder) !== undefined;
}

function httpProblems(
  path: Path,
  { http, secret }: { http: string; secret: unknown },
  { tree, say }: { tree: unknown; say: Say },
): readonly string[] {
  const problems: string[] = [];
  const hosts = listAt(tree, ["channels", "webhook", "allow"]).map(String);
  try {
    permit(http, hosts);
  } catch (error) {
    problems.push(say([...path, "http"], `cannot be asked. ${messageOf(error)}`));
  }
  if (secret === undefined) {
    problems.push(say([...path, "secret"], "is missing: write { env: NAME } or { file: PATH }"));
  }
  if (!canSign(secret)) problems.push(say([...path, "secret"], noSigning));
  return problems;
}
