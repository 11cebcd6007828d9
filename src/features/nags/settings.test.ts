import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config } from "../../app/config/config.ts";
import { loadConfig } from "../../app/config/load.ts";
import { hasCode } from "../../platform/errors.ts";
import { builtInCurves } from "./curve.ts";

function load(text: string): Config["curves"] {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  const parts = { env: {}, flags: {}, cwd: "/place", isTerminal: false, readText };
  return loadConfig(parts).config.curves;
}

const wrong: [yaml: string, says: string][] = [
  ["base: 0m", '3:3  curves.a.base is "0m": write a length of time like "5m", "1h" or "2d".'],
  ["base: soon", '3:3  curves.a.base is "soon": write a length of time'],
  ["factor: 2", "curves.a.base is missing: write a length of time"],
  ["base: 5m\n  factor: 0.5", "4:3  curves.a.factor is 0.5: write a number from 1 to 1000."],
  ["base: 5m\n  cap: 1y", '4:3  curves.a.cap is "1y": write a length of time'],
  ["base: 2h\n  cap: 1h", "curves.a does not work: The first distance is longer than the cap"],
  ["base: 5m\n  cap: 9999d", "curves.a does not work: The cap is over ten years: make it shorter."],
  ["base: 5m\n  jitter: 1.5", "4:3  curves.a.jitter is 1.5: write a number from 0 to 1."],
  ["base: 5m\n  countMax: 0", "4:3  curves.a.countMax is 0: write a whole number from 1."],
  ['base: 5m\n  sleep: "25:00-07:00"', '4:3  curves.a.sleep is "25:00-07:00": write two times'],
  [
    'base: 5m\n  sleep: "22:00-22:00"',
    "curves.a does not work: The sleep starts and ends at the same time",
  ],
  ["base: 5m\n  escalate: { after: 3 }", "curves.a.escalate.target is missing: write a target"],
  [
    "base: 5m\n  escalate: { after: 3, target: x }",
    'curves.a.escalate.target is "x": write a target',
  ],
  ["base: 5m\n  fator: 2", '4:3  unknown key "fator" in curves.a: did you mean "factor"?'],
];

describe("curves in the file", () => {
  test("are what the rules know, with what is not said left out", () => {
    const text = `curves:
  plain: { base: 5m }
  otu-2: { base: 1d, factor: 2, cap: 256d, sleep: "22:00-07:00", wholeHours: true }
  loud: { base: 1h, factor: 1.5, cap: 2d, jitter: 0.1, countMax: 9, weekdays: true, escalate: { after: 3, target: "ntfy:a" } }`;
    assert.deepEqual(load(text), {
      plain: { base: { count: 5, unit: "minutes" }, factor: 1, cap: { count: 256, unit: "days" } },
      "otu-2": builtInCurves.otu,
      loud: {
        base: { count: 1, unit: "hours" },
        factor: 1.5,
        cap: { count: 2, unit: "days" },
        jitter: 0.1,
        countMax: 9,
        weekdays: true,
        escalate: { after: 3, target: "ntfy:a" },
      },
    });
  });
  for (const [yaml, says] of wrong) {
    test(`${yaml.replaceAll(/\s+/g, " ")} is wrong, and the line says what to write`, () => {
      assert.throws(
        () => load(`curves:\n a:\n  ${yaml}`),
        (error) => hasCode(error, "invalid") && error.message.includes(says),
        says,
      );
    });
  }
});
