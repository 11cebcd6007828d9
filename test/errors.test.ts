import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { errorCatalogues, errorsIn } from "../src/app/error-texts.ts";
import { isParticle, withParticle } from "../src/platform/particle.ts";
import { english, values } from "./errors/english.ts";
import { errorSentences } from "./errors/sentences.ts";

const root = join(import.meta.dirname, "..");
const all = errorSentences(root);
const wanted = all.filter(
  ({ file, text }) => !english.some(([files]) => files.test(file)) && !values.includes(text),
);
const catalogues = await errorCatalogues();
const entries = catalogues.flatMap((each) => Object.entries(each));
/** The names of kinds and states stand alone, and are no sentences of an error. */
const sentences = entries.filter(
  ([key]) => !/^[a-z_ ]+$/.test(key) || all.some(({ text }) => text === key),
);

function shapeOf(key: string): string {
  return key.replaceAll(/\{"?\w+"?\}/g, "{}");
}

describe("the Korean of errors", () => {
  test("has each sentence of the source once", () => {
    assert.ok(wanted.length > 400, "the sentences of the source are not found");
    const counts = Map.groupBy(sentences, ([key]) => shapeOf(key));
    const missing = wanted.filter(({ text }) => !counts.has(text));
    assert.deepEqual(missing, []);
    const twice = [...counts].filter(([, list]) => list.length > 1).map(([shape]) => shape);
    assert.deepEqual(twice, []);
  });
  test("has no sentence that the source has not", () => {
    const texts = new Set(all.map(({ text }) => text));
    assert.deepEqual(
      sentences.map(([key]) => key).filter((key) => !texts.has(shapeOf(key))),
      [],
    );
  });
  test("is Korean, and has the values and commands of the English", () => {
    for (const [en, ko] of sentences) {
      const names = (text: string): string[] =>
        (withoutParticles(text).match(/\{"?\w+"?\}/g) ?? []).toSorted();
      const commands = (text: string): string[] =>
        text.match(/daybook (?!yaml)[a-z]+|--[a-z]+/g) ?? [];
      const extra = names(ko).filter((name) => !names(en).includes(name));
      assert.deepEqual(extra, [], ko);
      for (const command of commands(en)) assert.ok(ko.includes(command), `${ko}: ${command}`);
      assert.doesNotMatch(ko, /[A-Za-z]{2,} [a-z]{3,} [a-z]{3,} [a-z]{2,}(?! --)/, ko);
    }
  });
  test("translates a sample of each sentence by its own entry", async () => {
    const translate = await errorsIn("ko");
    for (const [en, ko] of sentences) {
      let count = 0;
      const given = new Map<string, string>();
      const fill = (text: string): string =>
        text.replaceAll(sampled, (_, quote: string, name: string, particle?: string) => {
          const value = given.get(name) ?? `v${(count += 1)}`;
          given.set(name, value);
          return `${quote}${value}${quote}${particle === undefined ? "" : particleOf(value, particle)}`;
        });
      assert.equal(withoutStop(translate(fill(en))), withoutStop(fill(ko)));
    }
  });
});

test("every list of errors that stay English is about a file", () => {
  for (const [files, reason] of english) {
    assert.ok(
      all.some(({ file }) => files.test(file)),
      `${files.source}: ${reason}`,
    );
  }
});

const sampled = /\{("?)(\w+)"?(?::([가-힣]+\/[가-힣]+))?\}/g;

function particleOf(value: string, particle: string): string {
  assert.ok(isParticle(particle), particle);
  return withParticle(value, particle).slice(value.length);
}

function withoutParticles(text: string): string {
  return text.replaceAll(sampled, "{$2}");
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}
