import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { type } from "../../../test/terminal.ts";
import { widthOf } from "../../platform/display-width.ts";
import { readArguments } from "./arguments.ts";
import { exitOf, exits, type CommandEntry } from "./command.ts";
import { exampleOf } from "./examples.ts";
import { match } from "./find.ts";
import { overview } from "./groups.ts";
import koreanHelp from "./help-ko.json" with { type: "json" };
import { manifest } from "./manifest.ts";

const korean = new Map(Object.entries(koreanHelp));
const inKorean = { reader: async () => bookFixture().reader("ko") };

describe("help", () => {
  test("is what daybook answers without a command, and asks nothing", async () => {
    const first = await type([]);
    assert.equal(first.exit, 0);
    assert.equal(first.asked, 0);
    for (const typed of [["help"], ["--help"], ["-h"]]) {
      assert.deepEqual(await type(typed), first);
    }
  });
  test("fits one screen: what is typed every day, the nouns with their verbs, examples", async () => {
    for (const change of [{}, inKorean]) {
      const { out } = await type([], change);
      assert.ok(out.split("\n").length <= 48, `${out.split("\n").length} lines`);
      assert.match(out, /^ {2}remind MESSAGE --at AT {2,}\S/m);
      assert.match(out, /^ {2}nag {12}list show snooze done pause resume delete$/m);
      assert.match(out, /^ {2}start, attach, login, doctor, /m);
      assert.match(out, /^ {2}daybook remind "/m);
    }
  });
  test("names every command once", () => {
    const { everyday, nouns, others } = overview(manifest);
    const named = [
      ...[...everyday, ...others].map(({ name }) => name),
      ...nouns.flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`)),
    ];
    const ofNouns = nouns.map(([noun]) => noun); // run and watch are commands as well
    assert.deepEqual(
      named.toSorted(),
      manifest
        .map(({ name }) => name)
        .filter((name) => named.includes(name) || !ofNouns.includes(name))
        .toSorted(),
    );
    assert.equal(new Set(named).size, named.length);
  });
  test("says every exit status", async () => {
    const { out } = await type([]);
    for (const status of [0, 1, 2, 3, 4, 5, 6]) assert.match(out, new RegExp(`\\b${status} \\w`));
  });
  test("has the exit statuses that the documentation and the program have", () => {
    const page = readFileSync(
      join(import.meta.dirname, "../../../docs/troubleshooting.md"),
      "utf8",
    );
    const rows = page.matchAll(/^\| ([0-6]) \| [^|]+ \| (.*?) ?\|$/gm);
    const documented = Array.from(rows, ([, status, codes = ""]) =>
      Array.from(codes.matchAll(/`(\w+)`/g), ([, code]) => [code, Number(status)]),
    );
    assert.deepEqual(Object.fromEntries(documented.flat()), exitOf);
    assert.equal(documented.length, Object.keys(exits).length);
  });
  test("fits a terminal of 120 columns, in both languages", async () => {
    for (const change of [{}, inKorean]) {
      const { out } = await type([], change);
      assert.deepEqual(
        out.split("\n").filter((line) => widthOf(line) > 120),
        [],
      );
    }
  });
});

describe("help about one command", () => {
  test("says how it is typed, what each input is, and an example", async () => {
    const { exit, out } = await type(["help", "cancel"]);
    assert.equal(exit, 0);
    assert.equal(
      out,
      `Cancel something that has not been sent yet.

  daybook cancel ID [--reason REASON] [--json]

  ID         the record's id, or the start of it: at least 8 characters
  --reason   the reason, kept with it
  --json     print the answer as JSON

  Example: daybook cancel 019a8d3e-… --reason "moved to Friday"

  daybook cancel --all   Cancel all waiting notifications that match the filters.
`,
    );
  });
  test("is the same by help, --help and -h", async () => {
    const first = await type(["help", "token", "create"]);
    assert.match(first.out, /^ {2}daybook token create NAME /m);
    assert.deepEqual(await type(["token", "create", "--help"]), first);
    assert.deepEqual(await type(["token", "create", "x", "-h"]), first);
  });
  test("of a first word alone lists what comes after it", async () => {
    const { out } = await type(["help", "token"]);
    assert.match(out, /^ {2}daybook token revoke ID +Revoke a token\.$/m);
    assert.equal((await type(["token", "--help"])).out, out);
    const nounOfOldSpelling = await type(["workspace", "--help"]);
    assert.deepEqual(nounOfOldSpelling, await type(["help", "workspace"]));
  });
  test("shows a number as one, not as the last word of its flag", async () => {
    const { out } = await type(["help", "schedule"]);
    assert.match(out, /\[--cost-per-day NUMBER\]/);
    assert.match(out, /\[--target TARGET\]/);
  });
  test("says that a message may come from standard input", async () => {
    const { out } = await type(["help", "remind"]);
    assert.match(out, /^ {2}MESSAGE +the text to send \(- reads it from standard input\)$/m);
  });
  test("has an example that can be typed, for every command in both languages", async () => {
    const all = manifest;
    for (const command of all) {
      const { name } = command;
      for (const language of ["en", "ko"] as const) {
        const example = exampleOf(command, language) ?? assert.fail(`${name} has no example`);
        const [typed = ""] = example.replace(/^daybook /, "").split(" > ");
        const words = [...typed.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
        const found = match(words, all);
        assert.ok(found !== undefined && "command" in found, example);
        assert.equal(found.command.name, name);
        readArguments(found.command, found.rest, []);
      }
    }
  });
});

describe("help in Korean", () => {
  test("is what somebody who reads Korean gets", async () => {
    const { out } = await type([], inKorean);
    assert.match(out, /^ {2}remind MESSAGE --at AT +정한 시각에 한 번 알립니다\.$/m);
    assert.match((await type(["help", "remind"], inKorean)).out, /^ {2}예: daybook remind "주간/m);
  });
  test("keeps the values of an input", () => {
    assert.match(
      korean.get("the priority: low, normal or high (medium is normal). Default: normal") ?? "",
      /low, normal, high/,
    );
  });
  test("leaves nothing in English that a command or an input says", async () => {
    const texts = manifest.flatMap(({ summary, inputs }) => [
      summary,
      ...inputs.map((input) => input.summary),
    ]);
    assert.deepEqual(
      texts.filter((text) => !korean.has(text)),
      [],
    );
  });
  test("has no English sentence", async () => {
    const helps = [["help"], ...manifest.map(({ name }) => ["help", ...name.split(" ")])];
    for (const typed of helps) {
      const { out } = await type(typed, inKorean);
      const isTyped = /^ +(?:daybook |\[|--? [A-Z])|^ {2}[a-z]+,? /; // usage, examples, nouns with their verbs
      const english = out
        .split("\n")
        .filter((line) => line !== "" && !/[가-힣]/.test(line) && !isTyped.test(line));
      assert.deepEqual(english, [], typed.join(" "));
    }
  });
  test("says nothing twice, and nothing that nobody asks for", async () => {
    const { out } = await type([]);
    const said = [out, ...(await Promise.all(manifest.map(helped)))].join("\n");
    assert.deepEqual(
      [...korean.keys()].filter((text) => !said.includes(text)),
      [],
    );
  });
});

async function helped({ name }: CommandEntry): Promise<string> {
  const words = name.split(" ");
  const family = words.length > 1 ? (await type(["help", words[0] ?? ""])).out : "";
  return `${family}${(await type(["help", ...words])).out}`;
}
