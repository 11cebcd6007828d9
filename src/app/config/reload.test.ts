import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Log } from "../../platform/log.ts";
import { settingsIn } from "../../platform/settings/about.ts";
import { loadConfig, type Loaded } from "./load.ts";
import { configKeeper, reloadable } from "./reload.ts";
import { schema } from "./schema.ts";

function load(text: string, env: Record<string, string> = {}): Loaded {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  return loadConfig({ env, flags: {}, cwd: "/place", isTerminal: false, readText });
}

const changes: [text: string, changed: string, needsRestart: boolean][] = [
  ["store: 'memory:'", "store", true],
  [
    "home: /book\nstore: sqlite:/root.db\nrunners: { command: { folder: /jobs } }\narchives: dir:/archives",
    "home",
    true,
  ],
  ["timezone: Pacific/Apia", "timezone", false],
  ["language: ko", "language", false],
  ["leaseSeconds: 16", "leaseSeconds", true],
  ["keepDays: 1", "keepDays", false],
  ["http: { host: 0.0.0.0 }", "http.host", true],
  ["http: { port: 1 }", "http.port", true],
  ["http: { publicUrl: https://a.example }", "http.publicUrl", true],
  ["owners: { mina: { quiet: { from: 22:00, to: 07:00 } } }", "owners", false],
  ["channels: { ntfy: {} }", "channels.ntfy", false],
  ["channels: { webhook: { allow: [a] } }", "channels.webhook", false],
  ["channels: { desktop: {} }", "channels.desktop", false],
  ["channels: { desktop: { inbox: [me] } }", "channels.desktop.inbox", true],
  ["channels: { exec: { a: { command: [b] } } }", "channels.exec", false],
  ["channels: { telegram: { token: a } }", "channels.telegram", true],
  ["channels: { slack: { appToken: a } }", "channels.slack", true],
  ["channels: { slack: { defaultChannel: C1 } }", "channels.slack.defaultChannel", false],
  ["channels: { discord: { senders: [{ id: 1, owner: me }] } }", "channels.discord", true],
  ["channels: { email: { from: a@b.example, url: smtp://b } }", "channels.email", true],
  ["runners: { max: 4 }", "runners.max", false],
  ["runners: { command: { allow: [all] } }", "runners.command", true],
  ["runners: { command: { folder: /jobs } }", "runners.command.folder", false],
  ["runners: { agent: { baseUrl: https://a.example, model: b } }", "runners.agent", true],
  ["limits: { schedulesPerOwner: 2 }", "limits.schedulesPerOwner", false],
  ["limits: { minGapSeconds: 2 }", "limits.minGapSeconds", false],
  ["limits: { undeliverableRuns: 2 }", "limits.undeliverableRuns", false],
  ["schedules: { a: { when: daily 9am, run: { task: b } } }", "schedules", false],
  ["handlers: { a: { subscribes: [b] } }", "handlers", false],
  ["sources: { a: { kind: directory, folder: b } }", "sources", false],
  ["hooks: { a: { kind: token, secret: b } }", "hooks", false],
  ["health: { red: { cpu: 99 } }", "health", false],
  ["machines: docker\nworkspaces: { image: local }", "machines", true],
  ["docker: { network: none }", "docker", true],
  ["archives: s3://bucket/books", "archives", true],
  ["s3: { region: eu-west-1 }", "s3", true],
  ["workspaces: { concurrency: 2 }", "workspaces.concurrency", true],
  ["workspaces: { perOwner: 3, notify: ntfy:ops }", "workspaces", false],
  ["keep: { a: { sleepAfter: 10m } }", "keep", false],
  ["curves: { a: { base: 5m } }", "curves", false],
  ["plugins: [./a.ts]", "plugins", true],
  ["heartbeat: { url: https://a.example }", "heartbeat", false],
  ["calendars: { allow: [localhost] }", "calendars.allow", false],
  ["calendars: { pollSeconds: 30 }", "calendars.pollSeconds", false],
  ["calendars: { google: { clientId: a } }", "calendars.google.clientId", false],
  ["calendars: { google: { clientSecret: a } }", "calendars.google.clientSecret", false],
  ["calendars: { google: { api: 'http://127.0.0.1:1' } }", "calendars.google.api", true],
  ["log: { level: warn }", "log.level", false],
  ["log: { format: pretty }", "log.format", false],
  ["debug: [a]", "debug", false],
];

/** The home moves the default book and the folder of commands too, and a part of a channel needs the channel. */
const befores: Readonly<Record<string, string>> = {
  home: "store: sqlite:/root.db\nrunners: { command: { folder: /jobs } }\narchives: dir:/archives",
  "channels.desktop.inbox": "channels: { desktop: {} }",
  machines: "workspaces: { image: local }",
};

describe("a change", () => {
  for (const [text, changed, needsRestart] of changes) {
    test(`of ${changed} ${needsRestart ? "needs a restart" : "is applied"}`, () => {
      const before = load(befores[changed] ?? "").config;
      const after = load(text).config;
      const wanted = { changed: [changed], needsRestart: needsRestart ? [changed] : [] };
      assert.deepEqual(reloadable(before, after), wanted);
      assert.deepEqual(reloadable(after, before), wanted);
      assert.deepEqual(reloadable(after, load(text).config), { changed: [], needsRestart: [] });
    });
  }
  test("is not found in a schedule on another line or in another order", () => {
    const one = "  a: { when: daily 9am, run: { task: b } }\n";
    const other = "  c: { when: daily 9am, run: { task: d } }\n";
    const before = load(`schedules:\n${one}${other}`).config;
    const after = load(`# moved\nschedules:\n${other}${one}`).config;
    assert.deepEqual(reloadable(before, after), { changed: [], needsRestart: [] });
  });
  test("is searched in every setting", () => {
    const seen = changes.map(([, key]) => key);
    const keys = settingsIn(schema).map(([path]) => path.join("."));
    const missed = keys.filter((key) => !seen.some((each) => `${key}.`.startsWith(`${each}.`)));
    assert.deepEqual(missed, []);
  });
});

describe("the keeper", () => {
  function setUp(first: string) {
    const file = { text: first };
    const lines: string[] = [];
    const write = (text: string): void => void lines.push(text);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    const make = () => configKeeper({ load: () => load(file.text), log });
    return { file, lines, make };
  }

  test("refuses to start with an invalid file", () => {
    const { make } = setUp("language: fr");
    assert.throws(make, /language is "fr"/);
  });

  test("keeps the last valid settings, and the problem until it is fixed", () => {
    const { file, lines, make } = setUp("language: ko");
    const keeper = make();
    file.text = "language: fr\nkeepDays: 0";
    const problems = [
      'daybook.yaml:1:1  language is "fr": write "en" or "ko"',
      "daybook.yaml:2:1  keepDays is 0: write a whole number from 1 to 36500",
    ];
    assert.deepEqual(keeper.reload(), { ok: false, problems });
    assert.equal(keeper.current().config.language, "ko");
    assert.equal(keeper.problem(), problems.map((line) => `${line}.`).join("\n"));
    file.text = "language: en";
    assert.deepEqual(keeper.reload(), { ok: true, changed: ["language"], needsRestart: [] });
    assert.equal(keeper.current().config.language, "en");
    assert.equal(keeper.problem(), null);
    assert.deepEqual(lines, ["config.refused", "config.reloaded"]);
  });

  test("keeps what needs a restart over later reloads", () => {
    const { file, make } = setUp("http: { port: 1 }");
    const keeper = make();
    file.text = "http: { port: 2 }";
    assert.deepEqual(keeper.reload(), {
      ok: true,
      changed: ["http.port"],
      needsRestart: ["http.port"],
    });
    file.text = "http: { port: 2 }\nlanguage: ko";
    assert.deepEqual(keeper.reload(), {
      ok: true,
      changed: ["language"],
      needsRestart: ["http.port"],
    });
    file.text = "http: { port: 1 }\nlanguage: ko";
    assert.deepEqual(keeper.reload(), { ok: true, changed: ["http.port"], needsRestart: [] });
  });

  test("survives a file that cannot be read", () => {
    let isBroken = false;
    const fail = (): Loaded => {
      throw new Error("the disk is gone");
    };
    const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
    const keeper = configKeeper({ load: () => (isBroken ? fail() : load("")), log });
    isBroken = true;
    assert.deepEqual(keeper.reload(), { ok: false, problems: ["the disk is gone"] });
    assert.equal(keeper.current().config.leaseMs, 15_000);
  });
});
