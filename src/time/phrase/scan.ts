import { english } from "./english.ts";
import { korean } from "./korean.ts";
import type { Word } from "./word.ts";

const table: ReadonlyMap<string, readonly Word[]> = new Map(
  [...english, ...korean].flatMap(([spellings, ...means]) =>
    spellings.split(" ").map((spelling) => [spelling.replaceAll("_", " "), means] as const),
  ),
);
const charsMax = Math.max(...[...table.keys()].map((spelling) => spelling.length));

/** Every spelling in the table. */
export const spellings: readonly string[] = [...table.keys()];

export interface Scanned {
  readonly words: readonly Word[];
  /** The text from the first unknown word on; empty when everything was read. */
  readonly rest: string;
}

/**
 * The words of a text, each the longest that matches. Every step goes forward and tries at most
 * as many lengths as the longest word has letters, so that no text takes long.
 */
export function scan(typed: string): Scanned {
  const text = spaced(typed.toLowerCase());
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    if (" ,".includes(text.charAt(at))) {
      at += 1;
      continue;
    }
    const [chars, means] = digitsAt(text, at) ?? wordAt(text, at) ?? [0, []];
    if (chars === 0) break;
    words.push(...means);
    at += chars;
  }
  return { words, rest: text.slice(at) };
}

/** In Korean the spaces are a matter of taste, and in "twenty-five" the hyphen is. */
function spaced(text: string): string {
  return text
    .replaceAll(/ (?=[가-힣])|(?<=[가-힣]) /g, "")
    .replaceAll(/(?<=[a-z])-(?=[a-z])/g, " ");
}

type Found = readonly [chars: number, means: readonly Word[]];

function digitsAt(text: string, at: number): Found | undefined {
  let end = at;
  while (/[0-9]/.test(text.charAt(end))) end += 1;
  const length = end - at;
  if (length === 0 || length > 9) return undefined;
  return [length, [{ is: "digits", value: Number(text.slice(at, end)), length }]];
}

function wordAt(text: string, at: number): Found | undefined {
  for (let end = Math.min(at + charsMax, text.length); end > at; end -= 1) {
    const means = table.get(text.slice(at, end));
    const isCut = /[a-z]/.test(text.charAt(end - 1)) && /[a-z]/.test(text.charAt(end));
    if (means !== undefined && !isCut) return [end - at, means];
  }
  return undefined;
}
