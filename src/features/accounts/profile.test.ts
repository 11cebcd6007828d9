import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { checkProfile, makeProfile, parseQuiet } from "./profile.ts";

describe("an owner's settings", () => {
  test("are one record, found by its key whatever is in it", () => {
    const one = makeProfile({ timezone: "Asia/Seoul" });
    const other = makeProfile({ language: "ko" });
    assert.deepEqual(one.key, other.key);
    assert.deepEqual(one.key, { name: "profile", asked: {} });
  });
  test("may say that there is no home and no quiet", () => {
    checkProfile({ home: null, quiet: null });
  });

  const refused: [name: string, body: Parameters<typeof checkProfile>[0], says: RegExp][] = [
    ["a zone that is none", { timezone: "Asia/Soul" }, /"Asia\/Soul" is not a time zone/],
    ["a home that is no target", { home: "telegram" }, /"telegram" is not a target/],
    ["a time of day that is none", { quiet: { from: "24:00", to: "07:00" } }, /"24:00" is no time/],
    ["one digit", { quiet: { from: "22:00", to: "7:00" } }, /"7:00" is no time of day/],
    ["quiet without end", { quiet: { from: "22:00", to: "22:00" } }, /never end/],
  ];
  for (const [name, body, says] of refused) {
    test(`with ${name} are refused`, () => {
      assert.throws(
        () => makeProfile(body),
        (error) => hasCode(error, "invalid") && says.test(error.message),
      );
    });
  }
});

describe("quiet hours as they are typed", () => {
  test("have a dash of any sort between two times", () => {
    for (const text of ["22:00-07:00", " 22:00 - 07:00 ", "22:00–07:00", "22:00~07:00"]) {
      assert.deepEqual(parseQuiet(text), { from: "22:00", to: "07:00" });
    }
  });
  test("are refused when there is no second time", () => {
    for (const text of ["22:00", "", "at night", "-"]) {
      assert.throws(
        () => parseQuiet(text),
        (error) => hasCode(error, "invalid") && /write it like "22:00-07:00"/.test(error.message),
      );
    }
  });
});
