import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { checkProfile, makeProfile, parseQuiet } from "./profile.ts";

describe("an owner's settings", () => {
  test("have the same key, whatever their content", () => {
    const one = makeProfile({ timezone: "Asia/Seoul" });
    const other = makeProfile({ language: "ko" });
    assert.deepEqual(one.key, other.key);
    assert.deepEqual(one.key, { name: "profile", asked: {} });
  });
  test("may turn home and quiet hours off", () => {
    checkProfile({ home: null, quiet: null });
  });

  const refused: [name: string, body: Parameters<typeof checkProfile>[0], message: RegExp][] = [
    ["an unknown zone", { timezone: "Asia/Soul" }, /"Asia\/Soul" is not a time zone/],
    ["a home without an address", { home: "telegram" }, /"telegram" is not a target/],
    [
      "an impossible time",
      { quiet: { from: "24:00", to: "07:00" } },
      /"24:00" is not a time of day/,
    ],
    [
      "an hour of one digit",
      { quiet: { from: "22:00", to: "7:00" } },
      /"7:00" is not a time of day/,
    ],
    ["quiet hours without end", { quiet: { from: "22:00", to: "22:00" } }, /never end/],
  ];
  for (const [name, body, message] of refused) {
    test(`with ${name} are refused`, () => {
      assert.throws(
        () => makeProfile(body),
        (error) => hasCode(error, "invalid") && message.test(error.message),
      );
    });
  }
});

describe("typed quiet hours", () => {
  test("may have any kind of dash between two times", () => {
    for (const text of ["22:00-07:00", " 22:00 - 07:00 ", "22:00–07:00", "22:00~07:00"]) {
      assert.deepEqual(parseQuiet(text), { from: "22:00", to: "07:00" });
    }
  });
  test("are refused without a second time", () => {
    for (const text of ["22:00", "", "at night", "-"]) {
      assert.throws(
        () => parseQuiet(text),
        (error) => hasCode(error, "invalid") && /write it like "22:00-07:00"/.test(error.message),
      );
    }
  });
});
