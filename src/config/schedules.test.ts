import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadConfig } from "../config.ts";
import type { Config } from "./resolve.ts";

function load(text: string): Config["schedules"] {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  const parts = { env: {}, flags: {}, cwd: "/place", isTerminal: false, readText };
  return loadConfig(parts).config.schedules;
}

const wrong: readonly (readonly [yaml: string, says: string])[] = [
  ["when: soon", '3:3  schedules.a.when is "soon": write a time that comes again, like'],
  ["when: tomorrow 9am", '3:3  schedules.a.when is "tomorrow 9am": write a time that comes again'],
  ['when: "0 0 31 4 *"', '3:3  schedules.a.when is "0 0 31 4 *": write a time that comes again'],
  ['when: "*/0 * * * *"', '3:3  schedules.a.when is "*/0 * * * *": write a time that comes again'],
  ["when: daily 9am\n  whem: x", '4:3  unknown key "whem" in schedules.a: did you mean "when"?'],
  ["when: daily 9am\n  timezone: Mars", '4:3  schedules.a.timezone is "Mars": write a time zone'],
  ["when: daily 9am\n  timeout: long", '4:3  schedules.a.timeout is "long": write a length of'],
  ["when: daily 9am\n  notify: loud", '4:3  schedules.a.notify is "loud": write "always"'],
  ["when: daily 9am\n  target: nowhere", '4:3  schedules.a.target is "nowhere": write a target'],
];

describe("schedules in the file", () => {
  test("have what was not said by default", () => {
    const text = "schedules:\n  brief: { when: weekdays 08:30, run: { agent: look } }";
    assert.deepEqual(load(text), {
      brief: {
        owner: "me",
        when: "weekdays 08:30",
        run: { agent: "look" },
        notify: "always",
        misfire: "latest",
        overlap: "skip",
        rerun: false,
        timeout: "10m",
        notifyAfterFailures: 3,
        disableAfterFailures: 5,
        adopt: false,
      },
    });
  });
  for (const [yaml, says] of wrong) {
    test(`${yaml.replaceAll("\n  ", ", ")} is wrong, and the line says where and what to write`, () => {
      const text = `schedules:\n a:\n  ${yaml}\n  run: { task: b }`;
      assert.throws(
        () => load(text),
        ({ message }: Error) => message.startsWith(`daybook.yaml:${says}`),
      );
    });
  }
  for (const run of ["{}", "{ command: [] }", "{ task: a, agent: b }", "{ http: nowhere }", "x"]) {
    test(`${run} is nothing to run`, () => {
      const text = `schedules:\n a:\n  when: daily 9am\n  run: ${run}`;
      const says =
        /daybook\.yaml:4:\d+ {2}schedules\.a\.run.*: write \{ command: \[\.\/backup\.sh\] \}/;
      assert.throws(() => load(text), { code: "invalid", message: says });
    });
  }
  test("without a time or anything to run are told of both", () => {
    assert.throws(() => load("schedules: { a: {} }"), {
      message: /schedules\.a\.run is missing.*\n.*schedules\.a\.when is missing/,
    });
  });
});
