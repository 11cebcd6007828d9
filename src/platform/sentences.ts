import { isParticle, withParticle } from "./particle.ts";

/**
 * Sentences with `{names}` for values, and their translations with the same names. A translation writes `{name:을/를}`
 * for a value with the particle that it takes, and `{"name":을/를}` if the value is in quotes.
 */
export type Catalogue = Readonly<Record<string, string>>;

export type Translate = (sentence: string) => string;

interface Entry {
  readonly shape: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
}

/**
 * A value in quotes of the sentence, a value that is quoted itself (`{"name"}`), any value, or the name of an input. The
 * command line shows a flag in place of a quoted name.
 */
const placeholder = /"\{(\w+)\}"|\{"(\w+)"\}|\{(\w+)\}|"([a-z_.]+)"/g;
/** The same in a translation, where a value may have a particle: `{name:을/를}`. */
const translated = /"\{(\w+)\}"|\{"?(\w+)"?(?::([가-힣]+\/[가-힣]+))?\}|"([a-z_.]+)"/g;
/** Single words are translated where they are one of these: elsewhere they are names. */
const worded = ["kind", "state", "plural", "field"];
const depthMax = 4;

/**
 * Translates a sentence by the catalogue entry that it fits, and the parts of it that are sentences of the catalogue too.
 * A sentence that fits none stays as it is.
 */
export function translator(catalogues: readonly Catalogue[]): Translate {
  const texts = catalogues.flatMap((each) => Object.entries(each));
  const exact = new Map(texts.map(([key, translation]) => [withoutStop(key), translation]));
  const entries = texts
    .filter(([key]) => key.search(placeholder) !== -1)
    .toSorted(([a], [b]) => fixedChars(b) - fixedChars(a)) // the most particular first
    .map(([key, translation]) => entryOf(key, translation));

  const whole = (sentence: string, depth: number): string | undefined => {
    const known = exact.get(withoutStop(sentence));
    if (known !== undefined) return stoppedLike(sentence, known);
    if (depth > depthMax) return undefined;
    for (const { shape, names, translation } of entries) {
      const found = shape.exec(sentence);
      if (found === null) continue;
      const values = names.map((name, at) => valueOf(name, found[at + 1] ?? "", depth + 1));
      const filled = translation.replaceAll(
        translated,
        (all, ...[a, b, particle, fixed]: string[]) => {
          const value = values[names.indexOf(a ?? b ?? `"${fixed}"`)];
          if (value === undefined || particle === undefined) return value ?? all;
          return isParticle(particle) ? withParticle(value, particle) : all;
        },
      );
      return stoppedLike(sentence, filled);
    }
    return undefined;
  };
  /** Several problems in one line; a problem may have a semicolon of its own. */
  const list = (problems: readonly string[], depth: number): string | undefined => {
    for (let count = 1; count < problems.length; count += 1) {
      const first = whole(problems.slice(0, count).join("; "), depth);
      const rest = first && several(problems.slice(count), depth);
      if (first !== undefined && rest !== undefined) return `${first}; ${rest}`;
    }
    return undefined;
  };
  const several = (problems: readonly string[], depth: number): string | undefined =>
    list(problems, depth) ?? whole(problems.join("; "), depth);
  const valueOf = (name: string, value: string, depth: number): string =>
    /\s/.test(value) || worded.includes(name) ? part(value, depth) : value;
  const part = (text: string, depth: number): string =>
    isQuoted(text) ? text : (several(text.split("; "), depth) ?? text);

  return (sentence) =>
    sentence
      .split("\n")
      .map((line) => part(line, 0))
      .join("\n");
}

function entryOf(key: string, translation: string): Entry {
  const names: string[] = [];
  let source = "";
  let end = 0;
  for (const found of key.matchAll(placeholder)) {
    const [text, inQuotes, quoted, plain, fixed = ""] = found;
    names.push(inQuotes ?? quoted ?? plain ?? `"${fixed}"`);
    source += RegExp.escape(key.slice(end, found.index));
    const value = (inQuotes ?? quoted) ? '"[^"]*"' : `"${RegExp.escape(fixed)}"`;
    // Quotes come in pairs, so that a value in quotes is never cut.
    source += plain === undefined ? `(${value}|--[\\w-]+)` : '((?:"[^"]*"|[^"])*?)';
    end = found.index + text.length;
  }
  // A clause has no full stop, but stands at the end of a sentence too.
  const shape = new RegExp(`^${source}${RegExp.escape(withoutStop(key.slice(end)))}\\.?$`);
  return { shape, names, translation };
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function stoppedLike(sentence: string, translation: string): string {
  return sentence.endsWith(".") && !/[.?]$/.test(translation) ? `${translation}.` : translation;
}

function fixedChars(key: string): number {
  return key.replaceAll(/\{"?\w+"?\}/g, "").length;
}

/** What somebody typed: it is shown as it is, even if it is a sentence of ours. */
function isQuoted(text: string): boolean {
  return /^"[^"]*"$/.test(text) || /^--[\w-]+$/.test(text);
}
