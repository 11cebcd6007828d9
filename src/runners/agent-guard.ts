import { hide } from "../base/hide.ts";
import type { Spawn } from "../base/process.ts";
import { oneLine, quote } from "../rules/text.ts";
import type { Failed } from "./failed.ts";
import type { Ran } from "./runner.ts";

/** A program that says whether there is anything to do, before a model is asked and paid. */
export interface Guard {
  readonly command: readonly [file: string, ...args: string[]];
  readonly spawn: Spawn;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

const bytesMax = 64 * 1_024;

/** What it printed, when there is something to do; otherwise how the run ends. */
export async function checkFirst(
  { command: [file, ...args], spawn, env, cwd, timeoutMs = 60_000 }: Guard,
  { signal, secrets }: { signal: AbortSignal; secrets: readonly string[] },
): Promise<string | Ran> {
  const place = cwd === undefined ? {} : { cwd };
  const run = { file, args, env, ...place, input: "", timeoutMs, bytesMax, signal };
  const end = await spawn({ ...run, diesWithUs: true });
  if (!end.started) return failed(`the check ${quote(file)} does not start (${end.code})`);
  if (end.cut !== null) return failed(`the check ${quote(file)} was ended: ${end.cut}`);
  if (end.status === null) return failed(`the check ${quote(file)} was killed`);
  if (end.status === 0) return hide(end.output, secrets).trim();
  const usage = { turns: 0, cost: 0 };
  // Nothing to do is nothing to say.
  return { result: "completed", returned: { notify: false, message: "" }, exit: end.status, usage };
}

function failed(reason: string): Failed {
  return { result: "failed", reason: oneLine(reason, 300) };
}
