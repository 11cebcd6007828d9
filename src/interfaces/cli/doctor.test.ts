import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight } from "../../../test/book-fixture.ts";
import { type } from "../../../test/terminal.ts";
import type { Check } from "./checks.ts";
import { examine } from "./doctor.ts";
import type { DoctorFacts } from "./facts.ts";

const well: DoctorFacts = {
  version: "1.2.3",
  nodeVersion: "26.10.0",
  config: { file: "daybook.yaml", problem: null, warnings: [] },
  home: { path: "/home/mina/daybook", problem: null },
  store: { name: "/home/mina/book.db", isMemory: false, problem: null, now: eight },
  zone: { name: "Asia/Seoul", from: "host" },
  now: eight,
  daemon: { url: "http://127.0.0.1:4810", version: "1.2.3", problem: null },
  tokenFile: { path: "/home/mina/token", mode: 0o100600 },
  terminal: {
    nodeVersion: "26.10.0",
    config: { file: null, problem: null, warnings: [] },
    unreported: null,
  },
  channels: ["stdout", "inbox", "ntfy"],
  plugins: [{ name: "/home/mina/pager.ts", channels: ["pager"], problem: null }],
  chats: [
    { name: "telegram", missingPackages: [], missingSettings: [], hasPeople: true, problem: null },
  ],
  webhookAllow: [],
  agent: { missing: [] },
  unrunTasks: [],
  events: {
    handlers: [{ name: "gen-pr", target: "slack:C1", hasChannel: true }],
    sources: [{ name: "github", problem: null, missingSettings: [] }],
    hooks: ["shop"],
    publicUrl: "https://book.example.org/",
    unhandled: [],
  },
  workspaces: {
    machines: { name: "docker", report: "Docker 20.10.24, API 1.41", problem: null },
    archives: { name: "dir", report: "archives in /home/mina/archives", problem: null },
    administrator: "ntfy:ops",
  },
};

const source = (name: string, problem: string | null, ...missingSettings: string[]) => ({
  name,
  problem,
  missingSettings,
});
const [chat] = well.chats;
const { terminal } = well;
assert.ok(terminal);
assert.ok(chat);

test("an installation where all is well has nothing but ok, in both languages", () => {
  for (const language of ["en", "ko"] as const) {
    assert.deepEqual(
      examine(well, language).filter(({ level }) => level !== "ok"),
      [],
    );
  }
});

describe("what is not well is named, with what to do:", () => {
  const store = { ...well.store };
  const cases: [change: Partial<DoctorFacts>, name: string, level: Check["level"], says: RegExp][] =
    [
      [{ nodeVersion: "22.1.0" }, "node", "bad", /install Node 24/],
      [{ config: { ...well.config, problem: "x:1:1 no." } }, "config", "bad", /wrong: x:1:1 no\./],
      [
        { config: { ...well.config, warnings: ["a secret stands in it"] } },
        "config",
        "warn",
        /secret/,
      ],
      [
        { plugins: [{ name: "./a.ts", channels: [], problem: "it has no channels: write some" }] },
        "plugin",
        "bad",
        /\.\/a\.ts is off: it has no channels: write some\./,
      ],
      [
        { chats: [{ ...chat, hasPeople: false }] },
        "telegram",
        "warn",
        /daybook person invite, or set channels\.telegram\.senders\./,
      ],
      [
        { chats: [{ ...chat, missingSettings: ["a.b", "c.d"] }] },
        "telegram",
        "warn",
        /set a\.b or c\.d\./,
      ],
      [
        {
          chats: [
            { ...chat, missingSettings: ["a.token"], hasPeople: false, problem: "it said 401" },
          ],
        },
        "telegram",
        "bad",
        /\(it said 401\): check its token/,
      ],
      [
        { chats: [{ ...chat, missingPackages: ["grammy"] }] },
        "telegram",
        "bad",
        /npm install grammy\./,
      ],
      [{ agent: { missing: ["ai", "b"] } }, "agent", "bad", /npm install ai b\./],
      [
        { unrunTasks: ["a.b", "c"] },
        "tasks",
        "warn",
        /^Due, and no runner here runs them: a\.b, c\. /,
      ],
      [
        {
          workspaces: {
            ...well.workspaces,
            machines: { name: "docker", report: null, problem: "Nobody is there." },
          },
        },
        "machines",
        "bad",
        /^Workspaces cannot be kept: docker: Nobody is there\.$/,
      ],
      [
        { workspaces: { ...well.workspaces, administrator: null } },
        "workspaces",
        "warn",
        /set workspaces\.notify/,
      ],
      [
        { events: { ...well.events, handlers: [{ name: "a", target: null, hasChannel: false }] } },
        "handlers",
        "warn",
        /^The messages of a go to the inbox only: set channels\.slack\.defaultChannel/,
      ],
      [
        {
          events: {
            ...well.events,
            handlers: [{ name: "a", target: "ntfy:x", hasChannel: false }],
          },
        },
        "handlers",
        "warn",
        /^a sends to ntfy:x, and that channel is not set up: set it up, or name another/,
      ],
      [
        { events: { ...well.events, sources: [source("jira", "Jira said 401: mend it.")] } },
        "source",
        "bad",
        /^jira cannot be polled: Jira said 401: mend it\.$/,
      ],
      [
        { events: { ...well.events, sources: [source("slack", null, "a.token")] } },
        "source",
        "bad",
        /^slack is not polled: set a\.token\.$/,
      ],
      [
        { events: { ...well.events, publicUrl: null } },
        "hooks",
        "warn",
        /\/hooks\/shop: set http\.publicUrl/,
      ],
      [
        { events: { ...well.events, refused: { files: 1, newest: "a.json: It is not JSON." } } },
        "quarantine",
        "warn",
        /^1 file is in quarantine\/ of the book\. The newest: a\.json: It is not JSON\. Write it/,
      ],
      [
        { events: { ...well.events, unhandled: ["a.b", "c"] } },
        "events",
        "warn",
        /without a handler: a\.b, c\. Handle one with daybook on a\.b -- COMMAND/,
      ],
      [{ home: { path: "/x", problem: "EACCES" } }, "home", "bad", /\/x .*EACCES.*DAYBOOK_HOME/],
      [
        { store: { ...store, problem: "It is locked." } },
        "store",
        "bad",
        /book\.db .*It is locked/,
      ],
      [{ store: { ...store, isMemory: true } }, "store", "warn", /sqlite:PATH/],
      [{ zone: { name: "UTC", from: "host" } }, "timezone", "warn", /DAYBOOK_TIMEZONE/],
      [{ zone: { name: "Etc/UTC", from: "host" } }, "timezone", "warn", /DAYBOOK_TIMEZONE/],
      [{ now: 0 }, "clock", "bad", /1970.*NTP/],
      [{ now: eight + 65_000 }, "clock", "warn", /1 min 5 s apart/],
      [{ now: eight - 65_000 }, "clock", "warn", /1 min 5 s apart/],
      [{ daemon: null }, "daemon", "warn", /daybook start/],
      [
        { daemon: { url: "http://a", version: null, problem: "refused" } },
        "daemon",
        "bad",
        /refused/,
      ],
      [
        { daemon: { url: "http://a", version: "1.0.0", problem: null } },
        "daemon",
        "warn",
        /1\.0\.0/,
      ],
      [{ tokenFile: { path: "/t", mode: 0o100644 } }, "token", "bad", /0644.*chmod 600/],
      [{ tokenFile: { path: "/t", mode: 0o100620 } }, "token", "bad", /0620/],
      [{ channels: ["stdout", "inbox", "session"] }, "channels", "warn", /ntfy/],
      [{ channels: [] }, "channels", "warn", /none/],
      [{ webhookAllow: ["intranet:8080", "localhost:80"] }, "webhooks", "warn", /^localhost:80:/],
      [{ webhookAllow: ["169.254.169.254"] }, "webhooks", "warn", /169/],
      [{ webhookAllow: ["[::1]:80"] }, "webhooks", "warn", /::1/],
      [
        { terminal: { ...terminal, config: { ...terminal.config, file: "/other.yaml" } } },
        "terminal",
        "warn",
        /finds \/other\.yaml, and the daemon reads daybook\.yaml: .*--config \/other\.yaml/,
      ],
      [
        { terminal: { ...terminal, config: { ...terminal.config, problem: "x:1:1 no." } } },
        "terminal",
        "warn",
        /this terminal finds are wrong, and the daemon has others: x:1:1 no\./,
      ],
      [
        { terminal: { ...terminal, unreported: "It is gone." } },
        "terminal",
        "warn",
        /is what this terminal has.*\(It is gone\)\.$/,
      ],
    ];
  for (const [change, name, level, says] of cases) {
    test(`${name} with ${JSON.stringify(change)}`, () => {
      const found = examine({ ...well, ...change }, "en").filter((each) => each.level !== "ok");
      assert.deepEqual(
        found.map((each) => [each.name, each.level]),
        [[name, level]],
      );
      assert.match(found[0]?.text ?? "", says);
      const korean = examine({ ...well, ...change }, "ko").filter((each) => each.level !== "ok");
      assert.deepEqual(
        korean.map((each) => [each.name, each.level]),
        [[name, level]],
      );
    });
  }
});

describe("what looks odd and is meant is let be:", () => {
  const cases: [name: string, change: Partial<DoctorFacts>][] = [
    ["UTC that somebody chose", { zone: { name: "UTC", from: "setting" } }],
    ["a host of the house", { webhookAllow: ["intranet:8080", "localhost.example.org"] }],
    ["no token yet", { tokenFile: null }],
    ["no agent", { agent: null }],
    ["no settings file", { config: { file: null, problem: null, warnings: [] } }],
    ["no daemon beside this terminal", { terminal: null }],
    ["a store whose clock could not be asked", { store: { ...well.store, now: null } }],
  ];
  for (const [name, change] of cases) {
    test(name, () => {
      const levels = examine({ ...well, ...change }, "en").map(({ level }) => level);
      assert.deepEqual(new Set(levels), new Set(["ok"]));
    });
  }
});

test("what could not be looked at is not judged", () => {
  const names = (facts: Parameters<typeof examine>[0]): string[] =>
    examine(facts, "en").map(({ name }) => name);
  const { version, nodeVersion, now } = well;
  const config = { file: null, problem: "x:1:1 no.", warnings: [] };
  assert.deepEqual(names({ version, nodeVersion, now, config }), ["node", "config"]);
  const unread = names({ ...well, home: { path: "/x", problem: "EACCES" }, daemon: null });
  assert.ok(!unread.includes("daemon") && !unread.includes("token"), unread.join());
});

describe("doctor", () => {
  const ill: DoctorFacts = { ...well, nodeVersion: "20.0.0", daemon: null };

  test("prints each check and how many are not well, and fails when one is bad", async () => {
    const { exit, out } = await type(["doctor"], { facts: async () => ill });
    assert.equal(exit, 1);
    assert.match(out, /^ {2}bad {4}node {7}Node 20\.0\.0 is too old/m);
    assert.match(out, /^ {2}ok {5}home {7}/m);
    assert.match(out, /\n\n1 bad, 1 to look at\.\n$/);
  });
  test("does not fail when there is only something to look at", async () => {
    const facts = async (): Promise<DoctorFacts> => ({ ...well, daemon: null });
    const { exit, out } = await type(["doctor"], { facts });
    assert.equal(exit, 0);
    assert.match(out, /Nothing bad, 1 to look at\.\n$/);
    const { out: fine } = await type(["doctor"], { facts: async () => well });
    assert.match(fine, /All is well\.\n$/);
  });
  test("as data is its checks", async () => {
    const { out } = await type(["doctor", "--json"], { facts: async () => ill });
    assert.deepEqual(JSON.parse(out), { checks: examine(ill, "en") });
  });
  test("has colours where they are wanted, and none with --no-color", async () => {
    const ports = { facts: async () => ill, color: true };
    const colored = (await type(["doctor"], ports)).out;
    assert.ok(colored.startsWith("  \u001B[31mbad\u001B[0m    node"), colored);
    assert.ok(!(await type(["doctor", "--no-color"], ports)).out.includes("\u001B"));
  });
  test("speaks Korean", async () => {
    const { out } = await type(["doctor"], {
      facts: async () => ill,
      reader: async () => bookFixture().reader("ko"),
    });
    assert.match(out, /^ {2}문제 {3}node {7}Node 20\.0\.0입니다\. 너무 오래되었으니/m);
    assert.match(out, /문제 1개, 주의 1개\.\n$/);
  });
});
