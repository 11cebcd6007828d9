import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import * as z from "zod";
import { hasCode } from "../../platform/errors.ts";
import { aboutOf, settingsIn } from "../../platform/settings/about.ts";
import { exampleConfig } from "./example.ts";
import { others } from "./layers.ts";
import { loadConfig, type Loaded } from "./load.ts";
import { checkReport, configReport } from "./report.ts";
import { configSchema, schema } from "./schema.ts";

function load(text: string | undefined, more: Readonly<Record<string, string>> = {}): Loaded {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  const env = {
    NTFY_TOKEN: "tk_1",
    MODEL_KEY: "sk_1",
    TELEGRAM_TOKEN: "1:a",
    TELEGRAM_SECRET: "0123456789abcdef",
    SLACK_TOKEN: "xoxb-1",
    SLACK_APP_TOKEN: "xapp-1",
    SLACK_SIGNING_SECRET: "s_1",
    DISCORD_TOKEN: "d_1",
    SMTP_URL: "smtp://mail.example.org",
    WORK_SECRET: `whsec_${"a".repeat(32)}`,
    GITHUB_TOKEN: "gh_1",
    JIRA_TOKEN: "j_1",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    SHOP_SECRET: "shop_1",
    GOOGLE_CLIENT_SECRET: "GOCSPX-1",
    SHOP_SECRET_BEFORE: "shop_0",
    ...more,
  };
  return loadConfig({ env, flags: {}, cwd: "/place", isTerminal: false, readText });
}

const example = exampleConfig();
/** Prose has one space after its mark, settings have none or more. */
const uncommented = example.replaceAll(/^#(?! \S)/gm, "");
/** What the handlers of the example run is not allowed by it. */
const allowing = { DAYBOOK_ALLOW_COMMANDS: "./jobs/*" };
const settings = settingsIn(schema).map(([path, part]) => ({ key: path.join("."), part }));

describe("the example", () => {
  test("sets nothing while it is commented out", () => {
    assert.deepEqual(load(example).config, load("").config);
  });
  test("is valid with every setting uncommented", () => {
    // A file cannot bring a function.
    const isOther = (line: string): boolean => !line.includes("no function of this name");
    assert.deepEqual(load(uncommented, allowing).warnings.filter(isOther), []);
  });
  test("warns of programs of handlers that are not allowed", () => {
    const [warning = ""] = load(uncommented).warnings;
    assert.match(warning, /run\.command is not allowed.* allow: \[\.\/jobs\/review\.sh\]/);
  });
  test("shows every setting", () => {
    const isAnyName =
      /^(owners|channels\.exec|schedules|handlers|sources|hooks|keep|curves)\.[\w-]+/;
    const isInHandler = /^(handlers\.\*\.schedules)\.[\w-]+/;
    const shown = load(uncommented, allowing).origins.filter(({ from }) => from !== "default");
    const keys = shown
      .map(({ key }) => key.replace(isAnyName, "$1.*").replace(isInHandler, "$1.*"))
      // One that is empty has no setting of its own.
      .filter((key) => key !== "sources.*");
    assert.deepEqual(new Set(keys), new Set(settings.map(({ key }) => key)));
  });
  test("shows the true defaults", () => {
    const given = new Map(load(undefined, allowing).origins.map(({ key, value }) => [key, value]));
    const machine = ["home", "store", "timezone"];
    const differ = load(uncommented, allowing).origins.filter(({ key, value }) => {
      return given.has(key) && !machine.includes(key) && given.get(key) !== value;
    });
    assert.deepEqual(differ, []);
    const all = load(uncommented, allowing).config;
    assert.equal(all.channels.exec["lamp"]?.timeoutMs, 20_000);
    const { heartbeat, channels } = load(
      "heartbeat: { url: https://hc.example.org/ping/daybook }\nchannels: { ntfy: {}, exec: { lamp: { command: [a] } } }",
    ).config;
    assert.deepEqual(heartbeat, all.heartbeat);
    assert.equal(channels.ntfy?.server, all.channels.ntfy?.server);
    assert.equal(channels.exec["lamp"]?.timeoutMs, all.channels.exec["lamp"]?.timeoutMs);
  });
  test("fits the JSON Schema, which refuses misspelt keys", () => {
    const read = z.fromJSONSchema(configSchema());
    assert.equal(read.safeParse(parse(uncommented)).success, true);
    assert.equal(read.safeParse(parse(`${uncommented}stoer: x\n`)).success, false);
    assert.equal(read.safeParse({ http: { port: "1" } }).success, false);
  });
});

test("every setting has a summary and a form, and is in docs/config.md with its variable", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/config.md"), "utf8");
  for (const { key, part } of settings) {
    const known = aboutOf(part);
    assert.ok(known !== undefined && known.summary !== "" && known.write !== undefined, key);
    assert.ok(docs.includes(`\`${key.replaceAll("*", "NAME")}\``), `docs: ${key}`);
    if (known.env !== undefined) assert.ok(docs.includes(`\`${known.env}\``), `docs: ${known.env}`);
  }
  for (const name of others) assert.match(docs, new RegExp(`\`${name}\\b`), `docs: ${name}`);
});

test("any text of the file is read or refused", () => {
  const anyEdit = fc.record({
    at: fc.nat(uncommented.length),
    drop: fc.nat(20),
    put: fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom(
        "\n",
        "  ",
        ": ",
        "{",
        "]",
        "*x ",
        "&x ",
        "- ",
        "null",
        "'",
        "---\n",
        "\u0000",
      ),
    ),
  });
  let refused = 0;
  fc.assert(
    fc.property(fc.array(anyEdit, { minLength: 1, maxLength: 4 }), (edits) => {
      const text = edits.reduce(
        (text, { at, drop, put }) => text.slice(0, at) + put + text.slice(at + drop),
        uncommented,
      );
      try {
        load(text, allowing);
      } catch (error) {
        assert.ok(hasCode(error, "invalid"), String(error));
        assert.doesNotMatch(error.message, /(?!\n)\p{Cc}|undefined/u);
        refused += 1;
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(refused > 0);
});

describe("the report", () => {
  test("a check names the file after the warnings", () => {
    assert.equal(
      checkReport(load("log:\nlanguage: ko")),
      "warning: daybook.yaml:1:1  log has no value and counts as not set\n" +
        "/place/daybook.yaml: 올바릅니다. 설정 45개 중 1개를 지정했습니다.",
    );
    assert.match(checkReport(load("language: en")), /yaml: all right, 1 of 45 settings are set\.$/);
    assert.match(checkReport(load(undefined)), /^There is no file .*: all right, 0 of 45 /);
  });
  test("settings are shown with their origins", () => {
    const loaded = load("http: { port: 1 }");
    assert.match(configReport(loaded, false), /^http\.port: 1$/m);
    assert.match(configReport(loaded, true), /^http\.port: 1 +# daybook\.yaml:1:9$/m);
    assert.match(configReport(loaded, true), /^debug: \[\] +# default$/m);
  });
});
