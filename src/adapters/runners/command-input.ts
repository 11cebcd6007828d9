import type { Json } from "../../platform/json.ts";

/** What to run, as it was asked. */
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}

const shape = `{"command": ["program", "argument"], "cwd": "folder"}`;

/** The command in a task's input, or what is wrong with it. */
export function readCommand(input: Json): Command | string {
  const { command, cwd } = (input ?? {}) as { command?: unknown; cwd?: unknown };
  if (!isTexts(command)) return `no command can be read: ask as ${shape}`;
  const [file, ...args] = command;
  if (file === undefined || file === "") return `the command names no program: ask as ${shape}`;
  if (cwd === undefined || cwd === null) return { file, args };
  if (typeof cwd !== "string" || cwd.includes("\0")) return `cwd is no folder: ask as ${shape}`;
  return { file, args, cwd };
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes("\0"))
  );
}
