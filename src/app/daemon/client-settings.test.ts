import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadConfig } from "../config/load.ts";
import { clientSettings } from "./client-settings.ts";

type Env = Readonly<Record<string, string>>;

function partsOf(text: string | undefined, env: Env = {}) {
  const readText = (path: string): string | undefined =>
    path === "/work/daybook.yaml" ? text : undefined;
  return { env: { TZ: "UTC", ...env }, flags: {}, cwd: "/work", isTerminal: false, readText };
}

/** The same of the settings loaded whole. */
function whole(parts: ReturnType<typeof partsOf>): object {
  const { home, language, timezone, timezoneFrom } = loadConfig(parts).config;
  return { home, language, timezone: timezoneFrom === "host" ? undefined : timezone };
}

describe("the settings of a client are read without the schema, and are the same:", () => {
  const read: [name: string, text: string | undefined, env?: Env][] = [
    ["no file", undefined],
    ["an empty file", ""],
    ["a Korean terminal", undefined, { LANG: "ko_KR.UTF-8" }],
    ["a Korean terminal that wants English", "language: en", { LC_ALL: "ko_KR.UTF-8" }],
    ["variables", "language: en", { DAYBOOK_LANGUAGE: "ko", DAYBOOK_TIMEZONE: "Asia/Seoul" }],
    ["a relative home in a variable", "home: /var/a", { DAYBOOK_HOME: "there" }],
    ["an empty variable", "home: ./a", { DAYBOOK_HOME: "" }],
    ["a folder of the system", undefined, { XDG_DATA_HOME: "/data" }],
    ["plain values", "home: /var/daybook\r\nlanguage: ko\r\ntimezone: Asia/Seoul\r\n"],
    ["quotes and comments", "# mine\nhome: \"~/my book\"  # here\ntimezone: 'UTC' # there\n"],
    ["a section between", "http:\n  port: 0\nlanguage: ko\nplugins:\n- ./a.js\nhome: ../b\n"],
    ["a list in brackets", "debug: [mcp]\nhome: a/b\n"],
  ];
  for (const [name, text, env] of read) {
    test(name, () => {
      const parts = partsOf(text, env);
      assert.deepEqual(clientSettings(parts), whole(parts));
    });
  }
});

describe("the settings are left to the whole program where there is a doubt:", () => {
  const doubtful: [name: string, text: string, env?: Env][] = [
    ["a text that goes on below", "home: /var/a\n  b\n"],
    ["a block", "home: |\n  /var/a\n"],
    ["an anchor", "home: &a /var/a\n"],
    ["nothing", "home:\n"],
    ["null", "home: ~\n"],
    ["a word that is no text", "home: true\n"],
    ["a number", "home: 7\n"],
    ["an escape", 'home: "/var/\\u0061"\n'],
    ["a key twice", "home: /a\nhome: /b\n"],
    ["a key in quotes", '"home": /a\n'],
    ["braces", "{ home: /a }\n"],
    ["braces over lines", "http: {\n}\nhome: /a\n"],
    ["a document mark", "---\nhome: /a\n"],
    ["a byte order mark", "\uFEFFhome: /a\n"],
    ["another language", "language: fr\n"],
    ["another language in a variable", "", { DAYBOOK_LANGUAGE: "fr" }],
    ["a zone that is none", "timezone: No/Where\n"],
    ["a file that is named and missing", "", { DAYBOOK_CONFIG: "other.yaml" }],
  ];
  for (const [name, text, env] of doubtful) {
    test(name, () => assert.equal(clientSettings(partsOf(text, env)), undefined));
  }
});
