import { blockBytes, pathBytes, refusedTar, type TarEntry, type TarKind } from "./entry.ts";

/** The header block of an entry. */
export interface TarHeader {
  /** As its letter; `0` for a plain file. */
  readonly type: string;
  readonly name: string;
  readonly target: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly mtimeSeconds: number;
}

const nameBytes = 100;
const types: Readonly<Record<Exclude<TarKind, "special">, string>> = {
  file: "0",
  link: "1",
  symlink: "2",
  folder: "5",
};

export function readHeader(block: Buffer): TarHeader {
  if (readNumber(block, 148, 8) !== checksumOf(block)) throw refusedTar("it is damaged, or no tar");
  const size = readNumber(block, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0)
    throw refusedTar("the size of an entry is no number");
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? readText(block, 345, 155) : "";
  const name = readText(block, 0, nameBytes);
  const type = String.fromCharCode(block[156] ?? 0);
  return {
    type: type === "\0" ? (name.endsWith("/") ? "5" : "0") : type,
    name: prefix === "" ? name : `${prefix}/${name}`,
    target: readText(block, 157, nameBytes),
    mode: readNumber(block, 100, 8),
    uid: readNumber(block, 108, 8),
    gid: readNumber(block, 116, 8),
    size,
    mtimeSeconds: readNumber(block, 136, 12),
  };
}

/**
 * The blocks before an entry's body, in GNU's form: names are bytes there, of any length, and numbers have no end.
 * (What ustar cannot say, pax says in UTF-8, which not every name is.)
 */
export function headerBlocks(entry: TarEntry): Buffer {
  const { kind, path, target } = entry;
  if (kind === "special") throw refusedTar("devices, pipes and sockets are not kept");
  const name = kind === "folder" ? `${path === "" ? "." : path}/` : path;
  return Buffer.concat([
    ...longName("K", target),
    ...longName("L", name),
    headerBlock({ ...entry, type: types[kind], name, target }),
  ]);
}

function longName(type: "K" | "L", name: string): Buffer[] {
  if (name.length <= nameBytes) return [];
  const body = Buffer.alloc(Math.ceil((name.length + 1) / blockBytes) * blockBytes);
  pathBytes(name).copy(body);
  const about = { name: "././@LongLink", target: "", mode: 0, uid: 0, gid: 0, mtimeSeconds: 0 };
  return [headerBlock({ ...about, type, size: name.length + 1 }), body];
}

function headerBlock(header: TarHeader): Buffer {
  const block = Buffer.alloc(blockBytes);
  pathBytes(header.name.slice(0, nameBytes)).copy(block);
  writeNumber(block, header.mode, 100, 8);
  writeNumber(block, header.uid, 108, 8);
  writeNumber(block, header.gid, 116, 8);
  writeNumber(block, header.size, 124, 12);
  writeNumber(block, header.mtimeSeconds, 136, 12);
  block.write(header.type, 156, "latin1");
  pathBytes(header.target.slice(0, nameBytes)).copy(block, 157);
  block.write("ustar  \0", 257, "latin1");
  block.write(`${checksumOf(block).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** The sum of all bytes, counting the checksum's own bytes as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (const byte of block.subarray(0, 148)) sum += byte;
  for (const byte of block.subarray(156)) sum += byte;
  return sum;
}

function readText(block: Buffer, start: number, length: number): string {
  const text = block.toString("latin1", start, start + length);
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}

/** Octal digits, or, when the first bit is set, the bytes of the number. NaN: not a number. */
function readNumber(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first < 0x80) {
    const digits = readText(block, start, length).trim();
    if (digits === "") return 0;
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  }
  const hex = block.toString("hex", start, start + length);
  const bits = BigInt(length * 8 - 1);
  return Number(BigInt.asIntN(Number(bits), BigInt(`0x${hex}`)));
}

function writeNumber(block: Buffer, value: number, start: number, length: number): void {
  const digits = length - 1;
  if (value >= 0 && value < 8 ** digits) {
    block.write(`${value.toString(8).padStart(digits, "0")}\0`, start, "latin1");
    return;
  }
  const bits = BigInt.asUintN(length * 8 - 1, BigInt(value)) | (1n << BigInt(length * 8 - 1));
  block.write(bits.toString(16).padStart(length * 2, "0"), start, "hex");
}

/** The fields of a pax header that replace those of the next block. */
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
