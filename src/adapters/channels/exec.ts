import { type Channel, readSent, type Sent, stopped } from "../../features/notifications/index.ts";
import { transientStartErrors, type ProgramEnd, type Spawn } from "../../platform/process.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";

const bytesMax = 64 * 1_024;

/**
 * A channel in any language: a program that reads the message as one line of JSON and answers a
 * `Sent` as JSON. It may be run again for the same message, with the same `id`.
 */
export function exec({
  name,
  command: [file, ...args],
  spawn,
  timeoutMs = 25_000,
  env = {},
  secrets = {},
}: {
  /** The part of a target before the colon. */
  name: string;
  command: readonly [file: string, ...args: string[]];
  spawn: Spawn;
  timeoutMs?: number;
  /** The program's whole environment, but for the secrets. */
  env?: Readonly<Record<string, string>>;
  /** More of it; the values are hidden in reasons and receipts. */
  secrets?: Readonly<Record<string, string>>;
}): Channel {
  const hidden = Object.values(secrets);
  return {
    name,
    async send(message, { signal }) {
      const end = await spawn({
        file,
        args,
        env: { ...env, ...secrets },
        input: `${JSON.stringify(message)}\n`,
        timeoutMs,
        bytesMax,
        signal,
      });
      return end.started ? readEnd(end, file, hidden) : notStarted(end.code, file);
    },
  };
}

export function notStarted(code: string, file: string): Sent {
  if (code === "ABORTED") return stopped();
  const reason = `${file} does not start (${code})`;
  if (transientStartErrors.includes(code)) return { result: "retry", reason };
  const toDo = "check that it exists, that it is executable, and that PATH includes it";
  return { result: "rejected", reason: `${reason}: ${toDo}` };
}

type Ended = ProgramEnd & { started: true };

function readEnd(end: Ended, file: string, hidden: readonly string[]): Sent {
  if (end.status === 0) {
    const sent = answerIn(redact(end.output, hidden));
    if (sent !== undefined) return sent;
  }
  if (end.cut !== null) return { result: "unknown", reason: `${file} was ended: ${end.cut}` };
  if (end.status === null) return { result: "unknown", reason: `${file} was killed` };
  if (end.status === 0) {
    const toDo = `print JSON such as {"result":"delivered","receipt":null}`;
    return { result: "unknown", reason: `${file} printed no readable answer: ${toDo}` };
  }
  return { result: "retry", reason: `${file} ended with ${end.status}${firstLine(end, hidden)}` };
}

/** The first line of a program's errors, as the end of a sentence. */
export function firstLine({ errors }: Ended, hidden: readonly string[] = []): string {
  const line = redact(errors, hidden)
    .split("\n")
    .find((line) => line.trim() !== "");
  return line === undefined ? "" : `: ${oneLine(line, 500)}`;
}

const results: readonly unknown[] = ["delivered", "retry", "rejected", "unknown"];

function answerIn(output: string): Sent | undefined {
  try {
    const answer: unknown = JSON.parse(output);
    if (!results.includes((answer as { result?: unknown } | null)?.result)) return undefined;
    const sent = readSent(answer);
    return "reason" in sent ? { ...sent, reason: oneLine(sent.reason, 500) } : sent;
  } catch {
    return undefined;
  }
}
