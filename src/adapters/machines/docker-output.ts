import { StringDecoder } from "node:string_decoder";
import type { ProgramRun } from "../../platform/process.ts";
import { codeOf, type Session } from "./docker-session.ts";

/** The engine's: 1 is a program's output, 2 its errors. */
type StreamNumber = 1 | 2;

const headBytes = 8;

/** Separates the two streams of a connection: frames of eight bytes (which stream, how long) and the data. */
export function demultiplexer(
  take: (stream: StreamNumber, bytes: Buffer) => void,
): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  let stream: StreamNumber = 1;
  let left = 0;
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (left > 0) {
        const part = rest.subarray(0, left);
        left -= part.length;
        rest = rest.subarray(part.length);
        take(stream, part);
        continue;
      }
      const missing = headBytes - head.length;
      head = Buffer.concat([head, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (head.length < headBytes) return;
      stream = head[0] === 2 ? 2 : 1;
      left = head.readUInt32BE(4);
      head = Buffer.alloc(0);
    }
  };
}

/** Takes the first line, and passes the rest on. */
export function firstLine(
  take: (line: string) => void,
  rest: (bytes: Buffer) => void,
): (bytes: Buffer) => void {
  let start: Buffer | null = Buffer.alloc(0);
  return (bytes) => {
    if (start === null) return rest(bytes);
    const all = Buffer.concat([start, bytes]);
    const end = all.indexOf("\n");
    start = end === -1 ? all : null;
    if (end === -1) return;
    take(all.subarray(0, end).toString("utf8"));
    if (end + 1 < all.length) rest(all.subarray(end + 1));
  };
}

interface Capture {
  take(bytes: Buffer): void;
  /** Passes on half a character at the end too. */
  end(): void;
  all(): string;
}

/** The first bytes of a stream as whole characters: collected, or passed on as they arrive. */
export function capture(
  bytesMax: number,
  onText?: (text: string) => void,
  onOverflow?: () => void,
): Capture {
  const decoder = new StringDecoder("utf8");
  const texts: string[] = [];
  const write = onText ?? ((text: string) => void texts.push(text));
  let bytes = 0;
  const pass = (text: string): void => {
    if (text !== "") write(text);
  };
  return {
    take(chunk) {
      const room = bytesMax - bytes;
      bytes += chunk.length;
      if (room > 0) pass(decoder.write(chunk.subarray(0, room)));
      if (bytes > bytesMax) onOverflow?.();
    },
    end: () => pass(decoder.end()),
    all: () => texts.join(""),
  };
}

/** The output of a program over its connection. */
export interface ProgramOutput {
  readonly closed: Promise<void>;
  texts(): { output: string; errors: string };
  /** The code of a failed start; null: it started. */
  failed(): string | null;
}

export function readOutput(
  { bytesMax, onOutput }: ProgramRun,
  { socket, head }: Session,
  on: { started(group: string): void; overflow(): void },
): ProgramOutput {
  const output = capture(bytesMax, onOutput && ((text) => onOutput(text, "output")), on.overflow);
  const errors = capture(bytesMax, onOutput && ((text) => onOutput(text, "errors")));
  let first: string | undefined;
  // Output may overtake the first line of errors, and waits for it. Without that line it is the engine's message:
  // the wrapper did not even start.
  let early: Buffer[] = [];
  const takeErrors = firstLine((line) => {
    first = line;
    if (isGroup.test(line)) on.started(line);
    for (const bytes of early) output.take(bytes);
    early = [];
  }, errors.take);
  const takeChunk = demultiplexer((stream, bytes) => {
    if (stream === 2) takeErrors(bytes);
    else if (first === undefined) early.push(bytes);
    else output.take(bytes);
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      output.end();
      errors.end();
      resolve();
    });
  });
  socket.on("error", () => undefined);
  socket.on("data", takeChunk);
  if (head.length > 0) takeChunk(Buffer.from(head));
  return {
    closed,
    texts: () => ({ output: output.all(), errors: errors.all() }),
    failed() {
      if (first === undefined) return codeOf(0, Buffer.concat(early).toString("utf8"));
      return isGroup.test(first) ? null : first;
    },
  };
}

const isGroup = /^\d+$/u;
