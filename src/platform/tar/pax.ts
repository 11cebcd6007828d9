import { refusedTar } from "./entry.ts";
import type { TarHeader } from "./header.ts";

/** What a pax header says instead of the block that follows it. */
export type PaxFacts = Partial<
  Pick<TarHeader, "name" | "target" | "size" | "uid" | "gid" | "mtimeSeconds">
>;

/** Records of `{length} {key}={value}\n`. What is not asked for (times of reading, attributes) is left out. */
export function readPax(bytes: Buffer): PaxFacts {
  let facts: PaxFacts = {};
  for (let rest = bytes; rest.length > 0;) {
    const space = rest.indexOf(" ");
    const digits = rest.toString("latin1", 0, Math.max(space, 0));
    const length = /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 0;
    const record = rest.toString("latin1", space + 1, length);
    const equals = record.indexOf("=");
    if (length > rest.length || equals < 1 || !record.endsWith("\n")) {
      throw refusedTar("what it says of an entry cannot be read");
    }
    facts = { ...facts, ...factOf(record.slice(0, equals), record.slice(equals + 1, -1)) };
    rest = rest.subarray(length);
  }
  return facts;
}

function factOf(key: string, value: string): PaxFacts {
  if (key.startsWith("GNU.sparse.")) throw refusedTar("it has files with holes in GNU's form");
  switch (key) {
    case "path":
      return { name: value };
    case "linkpath":
      return { target: value };
    case "size":
      return { size: wholeNumber(value) };
    case "uid":
      return { uid: wholeNumber(value) };
    case "gid":
      return { gid: wholeNumber(value) };
    case "mtime":
      return { mtimeSeconds: Math.floor(numberOf(value)) };
    default:
      return {};
  }
}

function wholeNumber(value: string): number {
  const number = numberOf(value);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw refusedTar("a number in it is none");
}

function numberOf(value: string): number {
  return /^-?\d+(\.\d*)?$/.test(value) ? Number(value) : Number.NaN;
}
