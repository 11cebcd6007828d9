import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk, eight } from "../../test/desk.ts";
import { type } from "../../test/terminal.ts";
import type { CliPorts } from "./command.ts";

const line = { at: eight, what: "run", text: "back\nup", target: "inbox:me", id: "s1" } as const;

function foreseeing(language: "en" | "ko", isCut = false): Pick<CliPorts, "simulate"> {
  const lines = [
    { ...line, dayHours: null },
    { ...line, what: "say" as const, dayHours: 23 },
  ];
  return { simulate: async () => ({ lines, isCut, reader: desk().reader(language) }) };
}

describe("simulate", () => {
  test("says each thing on a line, and where the clocks change", async () => {
    const { out, exit } = await type(["simulate"], foreseeing("en", true));
    assert.equal(exit, 0);
    assert.deepEqual(out.trimEnd().split("\n"), [
      "Mon 16 Nov 2026 08:00:00  run  back up → inbox:me",
      "Mon 16 Nov 2026 08:00:00  say  back up → inbox:me  (the clocks change: this day has 23 hours)",
      "These are the first 2: choose a shorter time to see the rest.",
    ]);
    const korean = await type(["simulate"], foreseeing("ko"));
    assert.match(korean.out, /실행 {2}back up/);
  });
  test("is data for programs", async () => {
    const { out } = await type(["simulate", "--json"], foreseeing("en"));
    const { lines, cut } = JSON.parse(out) as { lines: readonly object[]; cut: boolean };
    assert.equal(cut, false);
    const at = "2026-11-15T23:00:00Z";
    assert.deepEqual(lines[1], { ...line, at, what: "say", day_hours: 23 });
  });
  test("asks for a week from now unless told otherwise", async () => {
    const asked: string[][] = [];
    const simulate: CliPorts["simulate"] = async (...times) => {
      asked.push(times);
      return { lines: [], isCut: false, reader: desk().reader() };
    };
    const { out } = await type(["simulate"], { simulate });
    await type(["simulate", "--from", "tomorrow", "--to", "+30d"], { simulate });
    assert.deepEqual(asked, [
      ["now", "+7d"],
      ["tomorrow", "+30d"],
    ]);
    assert.equal(out, "Nothing would happen.\n");
  });
});
