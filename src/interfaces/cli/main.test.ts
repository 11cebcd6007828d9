import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { terminal, type } from "../../../test/terminal.ts";
import { table } from "../../features/index.ts";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import type { CliPorts } from "./command.ts";
import { match } from "./find.ts";
import { manifest } from "./manifest.ts";

const flagsOfList =
  "the flags of list are --all, --state, --search, --target, --type, --priority, --collapse-key, --related-task-id, --since, --until, --sort, --limit, --after, --json, --config, --help, --no-color";

const flagsOfStart =
  "the flags of start are --home, --store, --host, --port, --public-url, --timezone, --language, --lease-seconds, --log-level, --config, --help, --no-color";
const flagsOfRemind =
  "the flags of remind are --at, --timezone, --target, --type, --priority, --scheduled-at-text, --created-by, --related-task-id, --related-question-id, --context, --expires-at, --at-most-once, --collapse-key, --key, --json, --config, --help, --no-color";
const flagsOfCancel =
  "the flags of cancel are --reason, --json, --config, --help, --no-color, --all";
const verbsOfWorkspace =
  "the verbs of workspace are create, list, show, edit, touch, archive, restore, recover, plan, delete, gc";
const verbsOfSchedule = "list, show, edit, delete, pause, resume, run, backfill, preview, apply";

describe("what is typed wrong is said in a sentence that helps, and the book stays shut:", () => {
  const wrong: [typed: string[], says: string][] = [
    [["remnid"], 'There is no command "remnid": did you mean remind?'],
    [["Lsit"], 'There is no command "Lsit": did you mean list?'],
    [["statsu"], 'There is no command "statsu": did you mean status?'],
    [["tokne"], 'There is no command "tokne": did you mean token?'],
    [["nosuch"], 'There is no command "nosuch": see daybook help.'],
    [["rmind"], 'There is no command "rmind": did you mean remind?'],
    [
      ["edit"],
      'There is no command "edit": write one of notification edit, schedule edit, queue edit, workspace edit, calendar edit.',
    ],
    [["list", "-l", "3"], 'There is no flag "-l": did you mean --limit?'],
    [["remind", "hi", "--when", "+1m"], 'There is no flag "--when": did you mean --at?'],
    [["banana"], 'There is no command "banana": see daybook help.'],
    [["help", "banana"], 'There is no command "banana": see daybook help.'],
    [["\u001B[2J"], 'There is no command "�[2J": see daybook help.'],
    [["--all", "list"], 'Write the command before "--all": see daybook help.'],
    [["token"], "Write a verb after token: create, list, revoke."],
    [["token", "--json"], "Write a verb after token: create, list, revoke."],
    [["token", "lst"], 'There is no command "token lst": did you mean token list?'],
    [["help", "token", "lst"], 'There is no command "token lst": did you mean token list?'],
    [
      ["token", "banana"],
      'There is no command "token banana": the verbs of token are create, list, revoke.',
    ],
    [["config", "chekc"], 'There is no command "config chekc": did you mean config check?'],
    [["start", "now"], `There is one word too many, "now": ${flagsOfStart}.`],
    [["start", "--prot", "1"], 'There is no flag "--prot": did you mean --port?'],
    [["start", "--json"], `There is no flag "--json": ${flagsOfStart}.`],
    [["mcp", "--tools", "most"], "--tools must be one of default, all."],
    [["completion"], '"shell" is missing: the shell: bash, zsh or fish.'],
    [["completion", "cmd"], '"shell" must be one of bash, zsh, fish.'],
    [["list", "--al"], 'There is no flag "--al": did you mean --all?'],
    [["list", "--jsno"], 'There is no flag "--jsno": did you mean --json?'],
    [["list", "--banana"], `There is no flag "--banana": ${flagsOfList}.`],
    [["list", "--__proto__"], `There is no flag "--__proto__": ${flagsOfList}.`],
    [["list", "--constructor=1"], `There is no flag "--constructor": ${flagsOfList}.`],
    [
      ["list", "--related-tsk-id", "7"],
      'There is no flag "--related-tsk-id": did you mean --related-task-id?',
    ],
    [["list", "-x"], `There is no flag "-x": ${flagsOfList}.`],
    [["list", "all"], 'There is one word too many, "all": did you mean --all?'],
    [["list", "al"], 'There is one word too many, "al": did you mean --all?'],
    [["list", "banana"], `There is one word too many, "banana": ${flagsOfList}.`],
    [["remind", "go", "at", "+5m"], 'There is one word too many, "at": did you mean --at?'],
    [["workspace", "stop", "x"], `There is no command "workspace stop": ${verbsOfWorkspace}.`],
    [
      ["workspace", "stop", "x", "--json"],
      `There is no command "workspace stop": ${verbsOfWorkspace}.`,
    ],
    [
      ["schedule", "stop", "five"],
      `There is one word too many, "five": put texts with spaces in quotes, and put -- before the command, or write a verb after schedule: ${verbsOfSchedule}.`,
    ],
    [["cancel", "--al"], 'There is no flag "--al": did you mean --all?'],
    [["pause", "--al"], 'There is no command "pause --al": did you mean pause --all?'],
    [["cancel", "--banana"], `There is no flag "--banana": ${flagsOfCancel}.`],
    [["remind", "hi", "--banana"], `There is no flag "--banana": ${flagsOfRemind}.`],
    [
      ["remind", "stand", "up", "--at", "+1m"],
      'There is one word too many, "up": put texts with spaces in quotes.',
    ],
    [
      ["remind", "-5 degrees", "--at", "+1m"],
      'There is no flag "-5 degrees": put -- before it if it is a text.',
    ],
    [["remind", "hi", "--at"], "--at needs a value after it."],
    [
      ["remind", "hi", "--at", "--key"],
      '--at needs a value, and "--key" is like a flag: write "--at=--key".',
    ],
    [["remind", "hi", "--at", "+1m", "--at=+2m"], "--at is given twice: give it once."],
    [["remind", "hi", "--at", "+1m", "--scheduled-at=+2m"], "--at is given twice: give it once."],
    [["remind", "hi", "--at=+1m", "--message", "ho"], "MESSAGE is given twice: give it once."],
    [["cancel"], '"id" is missing: the record\'s id, or the start of it: at least 8 characters.'],
    [["list", "--all=no"], '--all takes no value: leave out "=no".'],
    [["list", "--limit", "many"], "--limit must be a number."],
    [["list", "--limit", "1.5"], "--limit must be a whole number."],
    [["list", "--limit", "0"], "--limit must be at least 1."],
    [["list", "--limit=-3"], "--limit must be at least 1."],
    [["list", "--limit", "501"], "--limit must be at most 500."],
    [["list", "--limit", "Infinity"], "--limit must be a number."],
    [
      ["remind", "hi", "--at", "+1m", "--priority", "top"],
      "--priority must be one of low, normal, high, medium.",
    ],
  ];
  for (const [typed, says] of wrong) {
    test(JSON.stringify(typed), async () => {
      const { exit, out, err, asked } = await type(typed);
      const told = asksForJson(typed) ? JSON.parse(err).error.message : err;
      const expected = asksForJson(typed) ? says : `daybook: ${says}\n`;
      assert.deepEqual([exit, out, told, asked], [2, "", expected, 0]);
    });
  }
  test("every problem at once", async () => {
    const { err } = await type(["remind", "--priority", "top"]);
    assert.match(err, /^daybook: "message" is missing: the text to send; --at is missing: when/);
    assert.match(err, /; --priority must be one of/);
  });
  test("and what was typed or set as a value is shown as it is", async () => {
    const at = bookFixture();
    const typed = ["schedule", "every 3h", "--name", "name", "--task", "input"];
    assert.equal((await type(typed, {}, at)).exit, 0);
    const again = await type(typed, {}, at);
    assert.match(again.err, /^daybook: A schedule named "name" already exists: /);
    const settings = 'daybook.yaml:1:1  runners.command.allow is "all": write a list.';
    const ask: CliPorts["ask"] = () => Promise.reject(new DaybookError("invalid", settings));
    assert.equal((await type(["schedules"], { ask })).err, `daybook: ${settings}\n`);
    const said = '"limit" is no text: "after" must be one; got "all".';
    const wrong: CliPorts["ask"] = () => Promise.reject(new DaybookError("invalid", said));
    const { err } = await type(["list", "--after", "limit"], { ask: wrong });
    assert.equal(err, `daybook: ${said}\n`);
  });
  test("in Korean for people, and in English for programs", async () => {
    const korean = { reader: async () => bookFixture().reader("ko") };
    const cases: [typed: string[], says: string][] = [
      [["nosuch"], '없는 명령입니다: "nosuch". 명령 목록 보기: daybook help.'],
      [["list", "--limit", "0"], "--limit 값은 1 이상이어야 합니다."],
      [["show", "nosuch"], '이 장부에 알림 "nosuch"가 없습니다.'],
      [["remind", "hi", "--at", "It is over."], '시각을 읽을 수 없습니다: "It is over.".'],
    ];
    for (const [typed, says] of cases) {
      const { err } = await type(typed, korean);
      assert.ok(err.startsWith(`daybook: ${says}`), err);
    }
    const { err } = await type(["show", "nosuch", "--json"], korean);
    assert.match(err, /There is no notification/);
  });
  test("as data, when data was asked for", async () => {
    const { exit, out, err } = await type(["remind", "hi", "--json"]);
    assert.deepEqual([exit, out], [2, ""]);
    const { error } = JSON.parse(err) as { error: DaybookError };
    assert.equal(error.code, "invalid");
    assert.deepEqual(error.details["problems"], [{ path: "at", text: error.message.slice(0, -1) }]);
  });
  test("in words, when --json is itself a text", async () => {
    const { err } = await type(["list", "--", "--json"]);
    assert.equal(err, 'daybook: There is one word too many, "--json": did you mean --json?\n');
  });
});

function asksForJson(typed: readonly string[]): boolean {
  return typed.includes("--json");
}

describe("a command", () => {
  test("answers in words, or exactly the operation's output as data with --json", async () => {
    const words = await type(["remind", "hi", "--at", "+30m"]);
    assert.match(words.out, /Mon 16 Nov 2026 08:30/);
    const data = await type(["remind", "hi", "--at", "+30m", "--json"]);
    const remind = table.find(({ name }) => name === "schedule_notification");
    const { mina } = bookFixture();
    const output = await remind?.run({ message: "hi", at: "+30m" }, mina);
    assert.deepEqual(JSON.parse(data.out), output);
    assert.deepEqual([words.exit, words.asked, data.exit, data.asked], [0, 1, 0, 1]);
  });
  test("says beside the answer what no daemon does yet, and nothing beside data", async () => {
    const ask: CliPorts["ask"] = async () => ({ text: "It is written.", isLeft: true });
    const waits = "No daemon runs, so this waits. Start one: daybook start\n";
    const { out, err } = await type(["remind", "hi", "--at", "+1m"], { ask });
    assert.deepEqual([out, err], ["It is written.\n", waits]);
    const reader = async () => bookFixture().reader("ko");
    const korean = await type(["remind", "hi", "--at", "+1m"], { ask, reader });
    assert.equal(korean.err, "실행 중인 데몬이 없어 기다립니다. 데몬 시작: daybook start\n");
    const data: CliPorts["ask"] = async () => ({ text: "{}", output: {} });
    assert.equal((await type(["remind", "hi", "--at", "+1m", "--json"], { ask: data })).err, "");
  });
  test("answers in the language of the book", async () => {
    const at = bookFixture();
    await type(["profile", "--language", "ko"], {}, at);
    assert.match((await type(["next"], {}, at)).out, /[가-힣]/);
  });
  test("prints what was rendered for it, or the data", async () => {
    const ask: CliPorts["ask"] = async (_, _input, format) => ({
      text: JSON.stringify(format),
    });
    const out = async (typed: string[], change?: Partial<CliPorts>): Promise<string> =>
      (await type(["whoami", ...typed], { ask, ...change })).out.trim();
    assert.equal(await out([]), '{"columns":null,"color":false}');
    const terminal = { columns: 80, color: true };
    assert.equal(await out([], terminal), '{"columns":80,"color":true}');
    assert.equal(await out(["--no-color"], terminal), '{"columns":80,"color":false}');
    assert.equal(await out(["--json"], terminal), '"json"');
  });

  const read: [typed: string[], input: Record<string, unknown>][] = [
    [["remind", "--at", "+1m", "hi"], { message: "hi", at: "+1m" }],
    [["remind", "--message=hi", "--at=+1m"], { message: "hi", at: "+1m" }],
    [["remind", "--at", "+1m", "--", "-5 degrees"], { message: "-5 degrees", at: "+1m" }],
    [["remind", "--at=+1m", "--key=-k", "--message=-"], { message: "-", at: "+1m", key: "-k" }],
    [["remind", "--at=+1m", "--", "--json"], { message: "--json", at: "+1m" }],
    [["remind", "", "--at="], { message: "", at: "" }],
    [
      ["remind", "a", "--at=b", "--related-task-id", "7", "--at-most-once"],
      { message: "a", at: "b", related_task_id: "7", at_most_once: true },
    ],
    [
      ["remind", "a", "--at=b", "--related_task_id=7"],
      { message: "a", at: "b", related_task_id: "7" },
    ],
    [["remind", "a", "--scheduled-at", "b"], { message: "a", at: "b" }],
    [["list"], {}],
    [["list", "--all"], { all: true }],
    [["list", "--limit", "7", "--all", "--all"], { all: true, limit: 7 }],
    [["list", "--no-color"], {}],
    [["cancel", "a-b"], { id: "a-b" }],
    [["next"], {}],
    [["next", "24h"], { within: "24h" }],
    [["notification", "edit", "a", "--revision", "3"], { id: "a", revision: 3 }],
    [["token", "create", "x", "--scopes", "read,write"], { name: "x", scopes: "read,write" }],
    [["webhook", "list"], {}],
    [["webhook", "delete", "list"], { id: "list" }],
  ];
  for (const [typed, input] of read) {
    test(`${JSON.stringify(typed)} asks for ${JSON.stringify(input)}`, async () => {
      const heard: unknown[] = [];
      const { exit, out, err } = await type(typed, {
        async ask(operation, given) {
          const entry = manifest.find((each) => each.operation === operation);
          heard.push({ command: entry?.name, given });
          return { text: "ok" };
        },
      });
      const words = heard.map((each) => (each as { command: string }).command.split(" "));
      assert.deepEqual([exit, out, err], [0, "ok\n", ""]);
      assert.deepEqual(heard, [
        { command: typed.slice(0, words[0]?.length).join(" "), given: input },
      ]);
    });
  }
  test("is found by its old spellings too, which help does not list", async () => {
    const { out } = await type(["help"]);
    const old = manifest.flatMap((each) => (each.aliases ?? []).map((alias) => ({ alias, each })));
    assert.ok(old.length > 40);
    for (const { alias, each } of old) {
      const found = match([...alias.split(" "), "x"], manifest);
      assert.deepEqual(found, { command: each, rest: ["x"] }, alias);
      assert.doesNotMatch(out, new RegExp(`daybook ${alias} `), alias);
    }
  });
  test("does nothing when only help is asked for", async () => {
    for (const typed of [
      ["start", "--help"],
      ["remind", "hi", "--at", "+1m", "-h"],
      ["attach", "-h"],
    ]) {
      const { exit, asked, err } = await type(typed);
      assert.deepEqual([exit, asked, err], [0, 0, ""]);
    }
  });
  test("says the version when asked", async () => {
    assert.equal((await type(["--version"])).out, "1.2.3\n");
  });
});

describe("a message of one dash is read from standard input", () => {
  async function remindFrom(
    chunks: readonly Uint8Array[],
  ): Promise<Awaited<ReturnType<typeof type>>> {
    const stdin = async function* (): AsyncGenerator<Uint8Array> {
      yield* chunks;
    };
    return type(["remind", "-", "--at", "+1m", "--json"], { stdin });
  }
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  test("whole, across chunks that cut a letter, without the last line end", async () => {
    const whole = bytes("오늘\n할 일\n");
    const { out } = await remindFrom([whole.slice(0, 4), whole.slice(4)]);
    assert.equal((JSON.parse(out) as { message: string }).message, "오늘\n할 일");
  });
  test("and nothing is written when it is too long, no text, or empty", async () => {
    const bad: [chunks: Uint8Array[], says: RegExp][] = [
      [[new Uint8Array(200_000), new Uint8Array(70_000)], /over 262144 bytes/],
      [[Uint8Array.of(0xff, 0xfe)], /is not text: send it in UTF-8/],
      [[], /message/],
    ];
    for (const [chunks, says] of bad) {
      const { exit, out, err } = await remindFrom(chunks);
      assert.deepEqual([exit, out], [2, ""]);
      assert.match(err, says);
    }
  });
});

describe("what is no operation", () => {
  test("start serves with the settings that were given as flags", async () => {
    const served: unknown[] = [];
    const typed = ["start", "--port", "81", "--log-level", "warn"];
    const { exit, err } = await type(typed, {
      serve: async (flags) => void served.push(flags),
    });
    assert.deepEqual([exit, err], [0, ""]);
    assert.deepEqual(served, [{ "http.port": "81", "log.level": "warn" }]);
  });
  test("what is wrong with a setting is said of the flag that set it", async () => {
    const serve = (): Promise<never> =>
      Promise.reject(new DaybookError("invalid", '--http.port is "99999": write less.'));
    const { err } = await type(["start", "--port", "99999"], { serve });
    assert.equal(err, 'daybook: --port is "99999": write less.\n');
  });
  test("start takes a flag under the name that its setting has in the file too", async () => {
    const served: unknown[] = [];
    await type(["start", "--http.port=82"], { serve: async (flags) => void served.push(flags) });
    assert.deepEqual(served, [{ "http.port": "82" }]);
  });
  test("mcp is told which tools to offer", async () => {
    const offered: string[] = [];
    const mcp = async (tools: string): Promise<void> => void offered.push(tools);
    await type(["mcp"], { mcp });
    await type(["mcp", "--tools", "all"], { mcp });
    assert.deepEqual(offered, ["default", "all"]);
  });
  test("config prints what the settings say of themselves", async () => {
    const config = {
      check: () => Promise.resolve("checked"),
      show: async (origin: boolean) => `shown ${origin}`,
      schema: async () => "{}\n",
      example: async () => "# all\n",
      init: async () => "written",
      add: () => assert.fail("nothing is added"),
    };
    const lines = [
      ["config", "check"],
      ["config", "show"],
      ["config", "show", "--origin"],
      ["config", "schema"],
      ["config", "init"],
      ["config", "init", "--print"],
    ];
    const outs = await Promise.all(lines.map(async (typed) => (await type(typed, { config })).out));
    assert.deepEqual(outs, [
      "checked\n",
      "shown false\n",
      "shown true\n",
      "{}\n",
      "written\n",
      "# all\n",
    ]);
  });
  test("--config names the file for every command, and no command sees it", async () => {
    const lines = [
      ["list", "--config", "a.yaml"],
      ["remind", "hi", "--at", "+1h", "--config=a.yaml", "--json"],
      ["config", "check", "--config", "a.yaml"],
      ["start", "--config", "a.yaml"],
      ["status", "--config", "a.yaml", "--no-color"],
    ];
    for (const typed of lines) {
      const named: string[] = [];
      const there = terminal({
        serve: async (flags) => assert.deepEqual(flags, {}),
        status: () => Promise.reject(new DaybookError("unavailable", "There.")),
        config: { ...terminal().ports.config, check: () => Promise.resolve("There.") },
      });
      const using = (file: string): CliPorts => (named.push(file), there.ports);
      const here = await type(typed, { withConfig: using });
      assert.deepEqual([named, here.asked], [["a.yaml"], 0], typed.join(" "));
      assert.equal(here.exit, typed[0] === "status" ? 6 : 0, here.err);
    }
    assert.match((await type(["help"])).out, /--config FILE +use the settings in this file$/m);
  });
  test("config that is wrong exits as bad input", async () => {
    const wrong = (): never => {
      throw new DaybookError("invalid", "daybook.yaml:1:1  unknown key.");
    };
    const config = { ...terminal().ports.config, check: wrong };
    const { exit, err } = await type(["config", "check"], { config });
    assert.deepEqual([exit, err], [2, "daybook: daybook.yaml:1:1  unknown key.\n"]);
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
        const said = await type(typed, { ask: fails, serve: fails });
        assert.deepEqual(
          [said.exit, said.out, said.err],
          [exit, "", "daybook: Do this instead.\n"],
        );
      }
    });
  }
  test("of what we did not foresee is 1, and says where it happened", async () => {
    for (const thrown of [new TypeError("x is not a function"), "a string"]) {
      const { exit, err } = await type(["list"], { ask: () => Promise.reject(thrown) });
      assert.equal(exit, 1);
      assert.match(err, /^daybook: this is a bug in Daybook, please report it\.\n/);
      assert.match(err, /x is not a function\n\s+at |a string/);
    }
  });
  test("of a real operation's refusal is its own", async () => {
    assert.equal((await type(["explain", "nothing"])).exit, 3);
    assert.equal((await type(["remind", "hi", "--at", "soon"])).exit, 2);
    assert.equal((await type(["remind", " ", "--at", "+1m"])).exit, 2);
    assert.equal((await type(["token", "list"])).exit, 5);
  });
});
