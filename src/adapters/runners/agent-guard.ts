import type { Ran, RunDesk } from "../../features/tasks/runner.ts";
import type { Spawn } from "../../platform/process.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine, quote } from "../../platform/text.ts";
import type { Failed } from "./result.ts";

/** A program that says whether there is anything to do, before a model is asked and paid. */
export interface Guard {
  readonly command: readonly [file: string, ...args: string[]];
  readonly spawn: Spawn;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

const bytesMax = 64 * 1_024;

/** What it printed, when there is something to do; otherwise how the run ends, with what it printed as output. */
export async function checkFirst(
  { command: [file, ...args], spawn, env, cwd, timeoutMs = 60_000 }: Guard,
  { desk, secrets }: { desk: RunDesk; secrets: readonly string[] },
): Promise<string | Ran> {
  const place = cwd === undefined ? {} : { cwd };
  const run = { file, args, env, ...place, input: "", timeoutMs, bytesMax, signal: desk.signal };
  const end = await spawn({ ...run, diesWithUs: true });
  if (!end.started) return failed(`the check ${quote(file)} does not start (${end.code})`);
  if (end.cut !== null) return failed(`the check ${quote(file)} was ended: ${end.cut}`);
  if (end.status === null) return failed(`the check ${quote(file)} was killed`);
  const printed = hide(end.output, secrets);
  if (end.status === 0) return printed.trim();
  if (printed !== "") desk.write(printed);
  const why = `the check ${quote(file)} found nothing to do (exit ${end.status})`;
  const nothingToDo = oneLine(why, 300);
  return { result: "completed", nothingToDo, exit: end.status, usage: { turns: 0, cost: 0 } };
}

function failed(reason: string): Failed {
  return { result: "failed", reason: oneLine(reason, 300) };
}
