import type { ProgramRun } from "../../platform/process.ts";
import { firstLine, kept, parted } from "./docker-output.ts";
import { codeOf, type Session } from "./docker-session.ts";

/** What is heard of a program over its connection. */
export interface Heard {
  readonly closed: Promise<void>;
  said(): { output: string; errors: string };
  /** Why it did not start; null: it did. */
  failed(): string | null;
}

export function listen(
  { bytesMax, onOutput }: ProgramRun,
  { socket, head }: Session,
  on: { begun(group: string): void; over(): void },
): Heard {
  const output = kept(bytesMax, onOutput && ((text) => onOutput(text, "output")), on.over);
  const errors = kept(bytesMax, onOutput && ((text) => onOutput(text, "errors")));
  let first: string | undefined;
  // The two streams pass each other on the way: what comes before the first line waits for it. If that never comes
  // it is what the engine says, as it could not even begin.
  let early: Buffer[] = [];
  const hearErrors = firstLine((line) => {
    first = line;
    if (isGroup.test(line)) on.begun(line);
    for (const bytes of early) output.hear(bytes);
    early = [];
  }, errors.hear);
  const hear = parted((stream, bytes) => {
    if (stream === 2) hearErrors(bytes);
    else if (first === undefined) early.push(bytes);
    else output.hear(bytes);
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      output.end();
      errors.end();
      resolve();
    });
  });
  socket.on("error", () => undefined);
  socket.on("data", hear);
  if (head.length > 0) hear(Buffer.from(head));
  return {
    closed,
    said: () => ({ output: output.all(), errors: errors.all() }),
    failed() {
      if (first === undefined) return codeOf(0, Buffer.concat(early).toString("utf8"));
      return isGroup.test(first) ? null : first;
    },
  };
}

const isGroup = /^\d+$/u;
