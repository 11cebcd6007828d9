import assert from "node:assert/strict";
import { test } from "node:test";

type Tree = { readonly [name: string]: string | ((...given: never[]) => string) | Tree };

/** The arguments of each text: the compiler finds missing ones. */
type Samples<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends (...given: infer Given) => string
    ? Given
    : Texts[Name] extends string
      ? readonly []
      : Samples<Texts[Name]>;
};

/** Tests the texts of a feature, in both languages. */
export function testTexts<Texts extends Tree>(
  languages: { en: Texts; ko: Texts },
  samples: Samples<Texts>,
): void {
  const [en, ko] = [leavesOf(languages.en), leavesOf(languages.ko)];
  const all = leavesOf(samples);
  void test("both languages have the same texts, and each has a sample", () => {
    const names = [...all.keys()].toSorted();
    for (const texts of [en, ko]) assert.deepEqual([...texts.keys()].toSorted(), names);
  });
  for (const [name, sample] of all) {
    void test(`${name} differs between the languages and contains its arguments`, () => {
      const [english, korean] = [render(en.get(name), sample), render(ko.get(name), sample)];
      assert.notEqual(english, korean);
      assert.match(korean, /\p{Script=Hangul}/u);
      for (const value of values(sample)) {
        assert.ok(
          english.includes(value) && korean.includes(value),
          `${value} in ${english} / ${korean}`,
        );
      }
    });
  }
}

/** The texts or samples by name, such as "answers.late" in a group. */
function leavesOf(tree: object, prefix = ""): Map<string, unknown> {
  const leaves = Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [...leavesOf(value, `${prefix}${name}.`)]
      : [[`${prefix}${name}`, value] as const],
  );
  return new Map(leaves);
}

function render(text: unknown, sample: unknown): string {
  return String(
    typeof text === "function" && Array.isArray(sample)
      ? Reflect.apply(text, undefined, sample)
      : text,
  );
}

/** The arguments of a text that every language shows unchanged. */
function values(sample: unknown): string[] {
  const given: unknown = Array.isArray(sample) ? sample[0] : undefined;
  const all = typeof given === "object" && given !== null ? Object.values(given) : [given];
  return all.map(String).filter((value) => /^[A-Z]+$/.test(value));
}
