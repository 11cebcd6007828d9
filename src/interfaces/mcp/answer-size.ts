import { cut } from "../../platform/text.ts";

/** The size limit of one answer on the wire. */
export const answerBytesMax = 16_384;
/** Room for the JSON-RPC envelope around an answer. */
const envelopeBytesMax = 512;

export function fits(result: unknown): boolean {
  return sizeOf(result) <= answerBytesMax - envelopeBytesMax;
}

export function sizeOf(result: unknown): number {
  return Buffer.byteLength(JSON.stringify(result));
}

interface Bounds {
  readonly charsMax: number;
  readonly itemsMax: number;
}

/** Each step is smaller: first only texts are cut, then lists too. */
const steps: readonly Bounds[] = [
  ...[8_000, 4_000, 2_000, 1_000, 500, 250, 100].map((charsMax) => ({
    charsMax,
    itemsMax: Infinity,
  })),
  ...[100, 40, 15, 5, 1].map((itemsMax) => ({ charsMax: 100, itemsMax })),
];

/** The answer with the longest output that fits; undefined when none fits. */
export function shortened<Result>(
  output: unknown,
  render: (output: unknown) => Result,
): Result | undefined {
  for (const bounds of steps) {
    const result = render(shorten(output, bounds));
    if (fits(result)) return result;
  }
  return undefined;
}

function shorten(value: unknown, bounds: Bounds): unknown {
  if (typeof value === "string") return cut(value, bounds.charsMax);
  if (Array.isArray(value)) {
    return firstAndLast(value, bounds.itemsMax).map((item) => shorten(item, bounds));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    // A cut cursor would be invalid.
    Object.entries(value).map(([name, part]) => [
      name,
      name === "next" ? part : shorten(part, bounds),
    ]),
  );
}

/** The first and the last items of a list. */
function firstAndLast(list: readonly unknown[], itemsMax: number): readonly unknown[] {
  if (list.length <= itemsMax) return list;
  const first = Math.ceil(itemsMax / 2);
  return [...list.slice(0, first), ...list.slice(list.length - (itemsMax - first))];
}
