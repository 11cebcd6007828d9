import { crc32 } from "node:zlib";
import type { Fact } from "../memory/model.ts";

/** The content of a line: the changes of one commit. */
export interface Entry {
  /** The newest number that the model has assigned. */
  readonly seq: number;
  readonly facts: readonly Fact[];
}

type Text = Exclude<Fact, { what: "bytes" }> | { what: "bytes"; chunk: BytesText };

interface BytesText {
  id: string;
  stream: string;
  base64: string;
}

/** An entry as plain JSON: bytes become text. */
export function packEntry({ seq, facts }: Entry): unknown {
  return { seq, facts: facts.map(packFact) };
}

/** `content` is from `packEntry`: the checksum of its line proves it. */
export function unpackEntry(content: unknown): Entry {
  const { seq, facts } = content as { seq: number; facts: readonly Text[] };
  return { seq, facts: facts.map(unpackFact) };
}

function packFact(fact: Fact): Text {
  if (fact.what !== "bytes") return fact;
  const { id, stream, bytes } = fact.chunk;
  return { what: "bytes", chunk: { id, stream, base64: Buffer.from(bytes).toString("base64") } };
}

function unpackFact(fact: Text): Fact {
  if (fact.what !== "bytes") return fact;
  const { id, stream, base64 } = fact.chunk;
  return { what: "bytes", chunk: { id, stream, bytes: Buffer.from(base64, "base64") } };
}

/**
 * A line of a journal or a snapshot: `checksum number bytes json`. The checksum covers all that
 * follows it; numbers rise by one; JSON has no line break of its own.
 */
export function lineOf(number: number, content: unknown): Buffer {
  const json = JSON.stringify(content);
  const rest = `${number} ${Buffer.byteLength(json)} ${json}`;
  return Buffer.from(`${checksum(rest)} ${rest}\n`);
}

export interface Lines {
  /** The number of the last line. */
  readonly number: number;
  /** Bytes of whole lines. */
  readonly size: number;
  /** After them: nothing, the rest of a line that a crash tore, or damage. */
  readonly end: "whole" | "torn" | "damaged";
  /** The end of the bytes that are not zero. Zeros at the end of a file are reserved space. */
  readonly until: number;
}

/** Takes lines from the start of a file. The first must have the number after `before`. */
export function readLines(file: Buffer, before: number, take: (content: unknown) => void): Lines {
  let number = before;
  let size = 0;
  for (;;) {
    const next = file.indexOf(0x0a, size);
    const content = next === -1 ? undefined : contentOf(file.toString("utf8", size, next), number);
    if (content === undefined) break;
    take(content.value);
    number += 1;
    size = next + 1;
  }
  const until = file.findLastIndex((byte) => byte !== 0) + 1;
  return { number, size, until, end: endOf(file.subarray(0, until), size) };
}

const shape = /^([0-9a-f]{8}) (\d{1,16}) (\d{1,16}) /;

function contentOf(line: string, before: number): { value: unknown } | undefined {
  const [head, sum, number] = shape.exec(line) ?? [];
  if (head === undefined || Number(number) !== before + 1) return undefined;
  if (checksum(line.slice(9)) !== sum) return undefined;
  return { value: JSON.parse(line.slice(head.length)) };
}

/**
 * A crash leaves the start of one line, or sectors of zeros in one line. Anything else was written completely and
 * may have been acknowledged: it is never cut off.
 */
function endOf(file: Buffer, from: number): Lines["end"] {
  const rest = file.subarray(from);
  if (rest.length === 0) return "whole";
  const lineBreak = rest.indexOf(0x0a);
  if (lineBreak !== -1 && lineBreak < rest.length - 1) return "damaged";
  const zero = rest.indexOf(0);
  if (zero === 0 || (zero !== -1 && (from + zero) % sectorBytes === 0)) return "torn";
  const [head, , , bytes] = shape.exec(rest.toString("utf8", 0, 64)) ?? [];
  const isAllThere = head !== undefined && rest.length > head.length + Number(bytes);
  return lineBreak === -1 && !isAllThere ? "torn" : "damaged";
}

/** The smallest unit that a disk writes. */
const sectorBytes = 512;

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
