/**
 * Which addresses are on the public internet. Decided on bytes, never on text: `127.1`, `0x7f.1`
 * and `::ffff:7f00:1` are one address. What cannot be read is not public.
 */
export function isPublicAddress(text: string): boolean {
  const bytes = addressBytes(text);
  if (bytes === undefined) return false;
  return bytes.length === 4 ? isPublic4(bytes) : isPublic6(bytes);
}

/** The 4 or 16 bytes of an address, or nothing when the text is not an address. */
export function addressBytes(text: string): readonly number[] | undefined {
  return text.includes(":") ? bytes6(text) : bytes4(text);
}

type Range = readonly [prefix: readonly number[], bits: number];

/** The IANA special-purpose registry, without what it calls globally reachable. */
const private4: readonly Range[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 4],
  [[240], 4],
];

/** Only 2000::/3 is global unicast, so loopback, local, site and multicast need no line here. */
const global6: Range = [[0x20], 3];
const private6: readonly Range[] = [
  [[0x20, 0x01, 0x00], 23], // protocol assignments, Teredo among them: a tunnel hides its end
  [[0x20, 0x01, 0x0d, 0xb8], 32], // documentation
  [[0x3f, 0xff, 0x00], 20], // documentation
];

/** Addresses that lead to the IPv4 address they carry, and at which byte it stands. */
const carriers: readonly [Range, at: number][] = [
  [[[], 96], 12], // compatible; also holds :: and ::1, whose inner addresses are in 0/8
  [[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96], 12], // mapped
  [[[0x00, 0x64, 0xff, 0x9b], 96], 12], // NAT64; its local-use 64:ff9b:1::/48 is not global
  [[[0x20, 0x02], 16], 2], // 6to4
];

function isPublic4(bytes: readonly number[]): boolean {
  return !private4.some((range) => isIn(bytes, range));
}

function isPublic6(bytes: readonly number[]): boolean {
  const carrier = carriers.find(([range]) => isIn(bytes, range));
  if (carrier !== undefined) return isPublic4(bytes.slice(carrier[1], carrier[1] + 4));
  return isIn(bytes, global6) && !private6.some((range) => isIn(bytes, range));
}

function isIn(bytes: readonly number[], [prefix, bits]: Range): boolean {
  for (let at = 0; at * 8 < bits; at += 1) {
    const mask = 0xff & (0xff00 >> Math.min(bits - at * 8, 8));
    if ((((bytes[at] ?? 0) ^ (prefix[at] ?? 0)) & mask) !== 0) return false;
  }
  return true;
}

/** Dotted decimal alone: octal, hex and short forms are a URL parser's business, not ours. */
function bytes4(text: string): number[] | undefined {
  const parts = text.split(".");
  const fits = parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return fits && parts.length === 4 ? parts.map(Number) : undefined;
}

function bytes6(text: string): number[] | undefined {
  const sides = text.split("::");
  const head = bytesOfGroups(sides[0] ?? "", sides.length === 1);
  const tail = bytesOfGroups(sides[1] ?? "", true);
  if (head === undefined || tail === undefined || sides.length > 2) return undefined;
  const missing = 16 - head.length - tail.length;
  // Without `::` nothing may be missing; with it, at least one group must be.
  if (sides.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

/** The last group of an address may be written as an IPv4 address. */
function bytesOfGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [at, group] of groups.entries()) {
    const inner = isEnd && at === groups.length - 1 ? bytes4(group) : undefined;
    if (inner === undefined && !/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
    const value = Number.parseInt(group, 16);
    bytes.push(...(inner ?? [value >> 8, value & 0xff]));
  }
  return bytes;
}
