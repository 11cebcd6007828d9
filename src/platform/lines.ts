import type { Bytes } from "./byte-stream.ts";
import { DaybookError } from "./errors.ts";

/** The lines of a text in UTF-8, without their ends, read as they are taken. An empty last line is none. */
export async function* linesIn(source: Bytes, charsMax: number): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const piece of source) {
    const lines = `${rest}${decoded(decoder, piece)}`.split("\n");
    rest = lines.pop() ?? "";
    checkLength(rest, charsMax);
    for (const line of lines) yield withoutReturn(line);
  }
  rest += decoded(decoder);
  if (rest !== "") yield withoutReturn(rest);
}

function decoded(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw new DaybookError("invalid", "The input is not text: send it in UTF-8.", { cause });
  }
}

function checkLength(line: string, charsMax: number): void {
  if (line.length <= charsMax) return;
  throw new DaybookError("too_large", `A line has over ${charsMax} characters: look what it is.`);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
