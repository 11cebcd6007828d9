import { StringDecoder } from "node:string_decoder";
import type { ProgramRun } from "../../platform/process.ts";
import { codeOf, type Session } from "./docker-session.ts";

/** Of the engine: 1 is what a program says, 2 its errors. */
type StreamNumber = 1 | 2;

const headBytes = 8;

/** Takes apart what both streams say over one connection: eight bytes (which, how long), then so many of that stream. */
export function demultiplexer(
  hear: (stream: StreamNumber, bytes: Buffer) => void,
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
        hear(stream, part);
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

/** Cuts off the first line and hands on the rest. */
export function firstLine(
  take: (line: string) => void,
  rest: (bytes: Buffer) => void,
): (bytes: Buffer) => void {
  let begun: Buffer | null = Buffer.alloc(0);
  return (bytes) => {
    if (begun === null) return rest(bytes);
    const all = Buffer.concat([begun, bytes]);
    const end = all.indexOf("\n");
    begun = end === -1 ? all : null;
    if (end === -1) return;
    take(all.subarray(0, end).toString("utf8"));
    if (end + 1 < all.length) rest(all.subarray(end + 1));
  };
}

interface Capture {
  take(bytes: Buffer): void;
  /** Half a character that nothing follows is handed on too. */
  end(): void;
  all(): string;
}

/** The first bytes of a stream in whole characters, kept for the end, or heard as they come. */
export function capture(
  bytesMax: number,
  hear?: (text: string) => void,
  over?: () => void,
): Capture {
  const decoder = new StringDecoder("utf8");
  const texts: string[] = [];
  const take = hear ?? ((text: string) => void texts.push(text));
  let bytes = 0;
  const pass = (text: string): void => {
    if (text !== "") take(text);
  };
  return {
    take(chunk) {
      const room = bytesMax - bytes;
      bytes += chunk.length;
      if (room > 0) pass(decoder.write(chunk.subarray(0, room)));
      if (bytes > bytesMax) over?.();
    },
    end: () => pass(decoder.end()),
    all: () => texts.join(""),
  };
}

/** What is heard of a program over its connection. */
export interface ProgramOutput {
  readonly closed: Promise<void>;
  texts(): { output: string; errors: string };
  /** Why it did not start; null: it did. */
  failed(): string | null;
}

export function readOutput(
  { bytesMax, onOutput }: ProgramRun,
  { socket, head }: Session,
  on: { begun(group: string): void; over(): void },
): ProgramOutput {
  const output = capture(bytesMax, onOutput && ((text) => onOutput(text, "output")), on.over);
  const errors = capture(bytesMax, onOutput && ((text) => onOutput(text, "errors")));
  let first: string | undefined;
  // The two streams pass each other on the way: what comes before the first line waits for it. If that never comes
  // it is what the engine says, as it could not even begin.
  let early: Buffer[] = [];
  const hearErrors = firstLine((line) => {
    first = line;
    if (isGroup.test(line)) on.begun(line);
    for (const bytes of early) output.take(bytes);
    early = [];
  }, errors.take);
  const hear = demultiplexer((stream, bytes) => {
    if (stream === 2) hearErrors(bytes);
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
  socket.on("data", hear);
  if (head.length > 0) hear(Buffer.from(head));
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
