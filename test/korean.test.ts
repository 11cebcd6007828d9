import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** Every shipped file with Korean, but not the words that people may type in a time. */
const texts = [...globSync("src/**/*.{ts,json}", { cwd: root }), "README.ko.md"]
  .filter(
    (file) => !/\.test\.ts$|^src\/time\/phrase\/(?:korean|word)\.ts$|manifest\.json$/.test(file),
  )
  .filter((file) => /[가-힣]/.test(read(file)))
  .toSorted();

/** The rows of the table of words. */
const rows = read("docs/korean.md")
  .split("## Words")
  .at(-1)
  ?.split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));

const listed = (cell = ""): string[] => cell.split(", ").filter((word) => word !== "");
const dropped = new Set((rows ?? []).flatMap(([, , , not]) => listed(not)));

/** The lines of the files in which a shape is found. */
function linesWith(shape: RegExp): string[] {
  return texts.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, at) => (shape.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
}

describe("the Korean texts", () => {
  test("use one word for one thing, as docs/korean.md has them", () => {
    assert.ok(texts.length > 40 && dropped.size > 20, "the texts or the table are not found");
    assert.deepEqual(linesWith(new RegExp([...dropped].join("|"))), []);
  });
  test("use the words of the table, none of which is dropped in another row", () => {
    const all = texts.map(read).join("\n");
    for (const word of (rows ?? []).flatMap(([, , korean]) => listed(korean))) {
      assert.ok(all.includes(word), word);
      assert.ok(!dropped.has(word), word);
    }
  });
  test("write the particle that a value takes, not both", () => {
    const both =
      /을\(를\)|를\(을\)|이\(가\)|가\(이\)|은\(는\)|는\(은\)|와\(과\)|과\(와\)|\(으\)로|\(이\)/;
    const known = linesWith(both).filter((line) => !line.startsWith("src/platform/particle.ts"));
    assert.deepEqual(known, []);
  });
});
