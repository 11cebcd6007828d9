import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk } from "../../test/desk.ts";
import { DaybookError, type ErrorCode } from "../base/errors.ts";
import { operations } from "../operations/table.ts";
import type { CliPorts } from "./command.ts";
import { runCli } from "./main.ts";

interface Said {
  exit: number;
  out: string;
  err: string;
  /** How often the book was opened. */
  opened: number;
}

/** What one command line answers, over a book in memory. */
async function run(typed: readonly string[], change: Partial<CliPorts> = {}): Promise<Said> {
  const said: Said = { exit: -1, out: "", err: "", opened: 0 };
  const { mina } = desk();
  const ports: CliPorts = {
    out: (text) => void (said.out += `${text}\n`),
    err: (text) => void (said.err += `${text}\n`),
    withBook(use) {
      said.opened += 1;
      return use(mina);
    },
    serve: () => Promise.reject(new Error("nobody asked to serve")),
    operations: () => Promise.resolve(operations),
    version: "1.2.3",
    ...change,
  };
  said.exit = await runCli(typed, ports);
  return said;
}

const usage = `Daybook: what must happen, written down once, done on time, with a receipt.

  start                    Do what is in the book, until stopped.
  remind MESSAGE --at AT   Say something once, on time.
  list                     Show what is in the book.
  cancel ID                Take back something that has not been said yet.
  explain ID               Say why something did, did not, or will happen.

  Try: daybook start, and elsewhere: daybook remind "stand-up" --at +30m
  --json   the answer as data      daybook help COMMAND   about one command
  Exit: 0 done · 1 failed · 2 bad input · 3 not found · 4 conflict · 5 not allowed ·
        6 cannot reach the store
`;

const remindUsage = `Say something once, on time.

  daybook remind MESSAGE --at AT [--target TARGET] [--key KEY] [--json]

  MESSAGE    what to say
  --at       when, such as "+30m", "in 2 h" or a moment with its offset or zone
  --target   where, as channel:address
  --key      asking again with this key does not ask twice
`;

const listUsage = `Show what is in the book.

  daybook list [--all] [--limit LIMIT] [--after AFTER] [--json]

  --all     also what has ended
  --limit   how many at most
  --after   \`next\` of the page before
`;

describe("help", () => {
  for (const typed of [[], ["help"], ["--help"], ["-h"]]) {
    test(`is what "${["daybook", ...typed].join(" ")}" answers, without opening the book`, async () => {
      assert.deepEqual(await run(typed), { exit: 0, out: usage, err: "", opened: 0 });
    });
  }
  const commands: [typed: string[], out: string][] = [
    [["remind", "--help"], remindUsage],
    [["remind", "-h"], remindUsage],
    [["help", "remind"], remindUsage],
    [["remind", "hi", "--at", "+1m", "--help"], remindUsage],
    [["help", "list"], listUsage],
  ];
  for (const [typed, out] of commands) {
    test(`about one command is what "${typed.join(" ")}" answers`, async () => {
      assert.deepEqual(await run(typed), { exit: 0, out, err: "", opened: 0 });
    });
  }
  test("about start says what can be set, and starts nothing", async () => {
    for (const typed of [
      ["start", "--help"],
      ["start", "-h"],
      ["help", "start"],
    ]) {
      const { exit, out } = await run(typed);
      assert.equal(exit, 0);
      assert.match(out, /^ {2}DAYBOOK_STORE .*sqlite:PATH/m);
    }
  });
  test("says the version when asked", async () => {
    assert.deepEqual(await run(["--version"]), { exit: 0, out: "1.2.3\n", err: "", opened: 0 });
  });
});

describe("what is typed wrong is said in a sentence that helps, and the book stays shut:", () => {
  const wrong: [typed: string[], says: string][] = [
    [["remnid"], 'There is no command "remnid": did you mean remind?'],
    [["Lsit"], 'There is no command "Lsit": did you mean list?'],
    [["banana"], 'There is no command "banana": see daybook help.'],
    [["help", "banana"], 'There is no command "banana": see daybook help.'],
    [["\u001B[2J"], 'There is no command "�[2J": see daybook help.'],
    [["--all", "list"], 'The command comes before "--all": see daybook help.'],
    [["start", "now"], 'start takes nothing: leave out "now".'],
    [["list", "--al"], 'There is no flag "--al": did you mean --all?'],
    [["list", "--jsno"], 'There is no flag "--jsno": did you mean --json?'],
    [["list", "--banana"], 'There is no flag "--banana": see --help.'],
    [["list", "--__proto__"], 'There is no flag "--__proto__": see --help.'],
    [["list", "--constructor=1"], 'There is no flag "--constructor": see --help.'],
    [["list", "-x"], '"-x" is like a flag: put -- before it if it is a text.'],
    [["list", "all"], '"all" is one word too many: quote texts that have spaces.'],
    [
      ["remind", "stand", "up", "--at", "+1m"],
      '"up" is one word too many: quote texts that have spaces.',
    ],
    [
      ["remind", "-5 degrees", "--at", "+1m"],
      '"-5 degrees" is like a flag: put -- before it if it is a text.',
    ],
    [["remind", "hi", "--at"], "--at needs a value after it."],
    [
      ["remind", "hi", "--at", "--key"],
      '--at needs a value, and "--key" is like a flag: write "--at=--key".',
    ],
    [["remind", "hi", "--at", "+1m", "--at=+2m"], '"at" is given twice: say it once.'],
    [["remind", "hi", "--at=+1m", "--message", "ho"], '"message" is given twice: say it once.'],
    [
      ["remind", "hi"],
      '--at is missing: when, such as "+30m", "in 2 h" or a moment with its offset or zone.',
    ],
    [["remind", "--at", "+1m"], "MESSAGE is missing: what to say."],
    [
      ["remind"],
      'MESSAGE is missing: what to say; --at is missing: when, such as "+30m", "in 2 h" or a moment with its offset or zone.',
    ],
    [["cancel"], "ID is missing: which record."],
    [["list", "--all=no"], '--all stands alone: leave out "=no".'],
    [["list", "--limit", "many"], "--limit must be a number."],
    [["list", "--limit", "1.5"], "--limit must be a whole number."],
    [["list", "--limit", "0"], "--limit must be at least 1."],
    [["list", "--limit=-3"], "--limit must be at least 1."],
    [["list", "--limit", "501"], "--limit must be at most 500."],
    [["list", "--limit", "Infinity"], "--limit must be a number."],
  ];
  for (const [typed, says] of wrong) {
    test(JSON.stringify(typed), async () => {
      assert.deepEqual(await run(typed), {
        exit: 2,
        out: "",
        err: `daybook: ${says}\n`,
        opened: 0,
      });
    });
  }
  test("as data, when data was asked for", async () => {
    const { exit, out, err } = await run(["remind", "hi", "--json"]);
    assert.deepEqual([exit, out], [2, ""]);
    const { error } = JSON.parse(err) as { error: DaybookError };
    assert.equal(error.code, "invalid");
    assert.match(error.message, /^--at is missing/);
    assert.deepEqual(error.details["problems"], [error.message.slice(0, -1)]);
  });
  test("in words, when --json is itself a text", async () => {
    const { err } = await run(["list", "--", "--json"]);
    assert.equal(err, 'daybook: "--json" is one word too many: quote texts that have spaces.\n');
  });
});

describe("a command", () => {
  test("answers in words, or as data with --json", async () => {
    const words = await run(["remind", "hi", "--at", "+30m"]);
    assert.match(
      words.out,
      /^Mon 16 Nov 2026 08:30:00 Asia\/Seoul \(in 30 min\) → stdout:daemon\n/,
    );
    const data = await run(["remind", "hi", "--at", "+30m", "--json"]);
    const answer = JSON.parse(data.out) as { state: string; due: { utc: string } };
    assert.deepEqual([answer.state, answer.due.utc], ["pending", "2026-11-15T23:30:00Z"]);
    assert.deepEqual([words.exit, words.opened, data.exit, data.opened], [0, 1, 0, 1]);
  });

  const read: [typed: string[], input: Record<string, unknown>][] = [
    [["remind", "--at", "+1m", "hi"], { message: "hi", at: "+1m" }],
    [["remind", "--message=hi", "--at=+1m"], { message: "hi", at: "+1m" }],
    [["remind", "--at", "+1m", "--", "-5 degrees"], { message: "-5 degrees", at: "+1m" }],
    [["remind", "--at=+1m", "--key=-k", "-"], { message: "-", at: "+1m", key: "-k" }],
    [["remind", "--at=+1m", "--", "--json"], { message: "--json", at: "+1m" }],
    [["remind", "", "--at="], { message: "", at: "" }],
    [["list"], { all: false, limit: 50 }],
    [["list", "--all"], { all: true, limit: 50 }],
    [["list", "--limit", "7", "--all", "--all"], { all: true, limit: 7 }],
    [["cancel", "a-b"], { id: "a-b" }],
  ];
  for (const [typed, input] of read) {
    test(`${JSON.stringify(typed)} asks for ${JSON.stringify(input)}`, async () => {
      const heard: unknown[] = [];
      const listening = operations.map((each) => ({
        ...each,
        run: (given: unknown) => Promise.resolve(heard.push(given)),
        say: () => "ok",
      }));
      const { exit, out } = await run(typed, { operations: () => Promise.resolve(listening) });
      assert.deepEqual([exit, out, heard], [0, "ok\n", [input]]);
    });
  }

  test("serves when told to start", async () => {
    let served = 0;
    const serve = (): Promise<void> => Promise.resolve(void (served += 1));
    assert.deepEqual(await run(["start"], { serve }), { exit: 0, out: "", err: "", opened: 0 });
    assert.equal(served, 1);
  });
});

describe("the exit status", () => {
  const exits: { [Code in ErrorCode]: number } = {
    invalid: 2,
    too_large: 2,
    not_found: 3,
    conflict: 4,
    held: 4,
    stale: 4,
    ended: 4,
    leased: 4,
    refused: 5,
    busy: 6,
    unavailable: 6,
    unsupported: 6,
    closed: 6,
    unknown: 1,
    bug: 1,
  };
  for (const [code, exit] of Object.entries(exits) as [ErrorCode, number][]) {
    test(`of "${code}" is ${exit}, from a command and from the daemon`, async () => {
      const fails = (): Promise<never> =>
        Promise.reject(new DaybookError(code, "Do this instead."));
      for (const typed of [["list"], ["start"]]) {
        const said = await run(typed, { withBook: fails, serve: fails });
        assert.deepEqual(
          [said.exit, said.out, said.err],
          [exit, "", "daybook: Do this instead.\n"],
        );
      }
    });
  }
  test("of what we did not foresee is 1, and says where it happened", async () => {
    for (const thrown of [new TypeError("x is not a function"), "a string"]) {
      const { exit, err } = await run(["list"], { withBook: () => Promise.reject(thrown) });
      assert.equal(exit, 1);
      assert.match(err, /^daybook: this is a bug in Daybook, please report it\.\n/);
      assert.match(err, /x is not a function\n\s+at |a string/);
    }
  });
  test("of a real operation's refusal is its own", async () => {
    assert.equal((await run(["explain", "nothing"])).exit, 3);
    assert.equal((await run(["remind", "hi", "--at", "soon"])).exit, 2);
    assert.equal((await run(["remind", " ", "--at", "+1m"])).exit, 2);
  });
});
