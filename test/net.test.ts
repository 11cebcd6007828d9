import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { folder } from "./child.ts";
import { clientRoutes } from "./net/client-routes.ts";
import {
  clean,
  commandsIn,
  refusing,
  run,
  shown,
  typeLines,
  unaligned,
} from "./net/command-line.ts";
import { bin, startDaemon } from "./net/daemon.ts";
import { errorLines } from "./net/errors.ts";
import { fieldsIn, fillBook, pathsIn } from "./net/file-book.ts";
import { client, main, testing, undocumentedInputs } from "./net/internals.ts";
import { libraryTypes } from "./net/library.ts";
import { mcpLists } from "./net/mcp.ts";
import { errorCodes, problems } from "./net/problems.ts";
import { answers, headers, metrics } from "./net/routes.ts";
import { secrets, settingVariables } from "./net/settings.ts";
import {
  compared,
  difference,
  mask,
  matchSnapshots,
  snapshotFolder,
  stableJson,
} from "./net/snapshot.ts";
import { canonicalType } from "./net/type-text.ts";

/**
 * Compares every public interface with committed snapshots. Moving or rewriting the source must not change them.
 * `npm run snapshots` writes them again.
 */
const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};

describe(
  "the public interfaces match the snapshots",
  { concurrency: true, timeout: 300_000 },
  () => {
    test("a running daemon", async (t) => {
      const daemon = await startDaemon(t);
      await t.test("describes the same API", async () => {
        const api = await daemon.get("/openapi.json");
        const info = { ...(api["info"] as object), version: "" };
        const { left, examples } = withoutExamples({ ...api, info });
        matchSnapshots({
          "openapi.json": stableJson(left),
          "openapi-examples.json": stableJson(examples),
        });
      });
      await t.test("offers agents the same tools", async () => {
        const usual = await mcpLists(daemon, "/mcp");
        const all = await mcpLists(daemon, "/mcp?tools=all");
        const names = (tools: typeof all.tools): string => tools.map(({ name }) => name).join("\n");
        matchSnapshots({
          "mcp-usual-tools.json": stableJson(usual.tools),
          "mcp-tools.json": stableJson(all.tools),
          "mcp-names.txt": `Without a query:\n${names(usual.tools)}\n\n?tools=all:\n${names(all.tools)}`,
          "mcp-initialize.json": mask(stableJson(usual.initialize), { version }),
        });
        assert.deepEqual(usual.initialize, all.initialize);
      });
      await t.test("gives the same answers that OpenAPI does not describe", async () => {
        matchSnapshots({
          "http-answers.txt": await answers(daemon),
          "http-headers.txt": await headers(daemon),
        });
      });
      await t.test("has the same metrics, and the same folders in a file book", async () => {
        await fillBook(daemon);
        const counted = await metrics(daemon);
        daemon.process.kill("SIGTERM");
        assert.equal(await daemon.process.ended, 0);
        const book = join(daemon.home, "book");
        matchSnapshots({
          "metrics.txt": counted,
          "file-book-paths.txt": pathsIn(book),
          "file-book-fields.txt": fieldsIn(book),
        });
      });
    });

    test("the command line has the same commands, flags and help in both languages", async (t) => {
      const home = folder(t);
      const [bash, fish] = await typeLines(home, [
        { typed: ["completion", "bash"] },
        { typed: ["completion", "fish"] },
      ]);
      const lines = [[], ...commandsIn(fish?.out ?? "")].flatMap((name) =>
        ["en", "ko"].map((language) => ({
          typed: ["help", ...name],
          env: { DAYBOOK_LANGUAGE: language },
        })),
      );
      const flags = [{ typed: ["--help"] }, { typed: ["schedule", "--help"] }];
      const finished = await typeLines(home, [...lines, ...flags]);
      const [all, schedule] = finished.splice(lines.length);
      const english = finished.filter((_, at) => at % 2 === 0);
      const korean = finished.filter((_, at) => at % 2 === 1);
      matchSnapshots({
        "cli-completion.bash": bash?.out ?? "",
        "cli-help-en.txt": english.map(shown).join("\n\n"),
        "cli-help-ko.txt": korean.map(shown).join("\n\n"),
      });
      const helpOf = (...typed: string[]): string | undefined =>
        english.find((each) => each.typed.join() === typed.join())?.out;
      assert.equal(all?.out, helpOf("help"));
      assert.equal(schedule?.out, helpOf("help", "schedule"));
      for (const typed of [["help"], ["help", "remind"], ["help", "config"]]) {
        const { stdout } = await run(process.execPath, [bin, ...typed], { env: clean(home) });
        assert.equal(stdout, helpOf(...typed));
      }
    });

    test("the errors that people meet most are the same, in both languages", async (t) => {
      const text = await errorLines(folder(t));
      assert.doesNotMatch(text, /this is a bug/);
      matchSnapshots({ "cli-errors.txt": text });
    });

    test("the settings have the same schema, example, defaults and variables", async (t) => {
      const home = folder(t);
      const [schema, example, defaults] = await typeLines(home, [
        { typed: ["config", "schema"] },
        { typed: ["config", "init", "--print"] },
        { typed: ["config", "show", "--origin"] },
      ]);
      const every = join(home, "every.yaml");
      // A comment has one space after #, a setting has none or several.
      writeFileSync(every, (example?.out ?? "").replaceAll(/^#(?! \S)/gm, ""));
      const [file, variables, unknown] = await typeLines(home, [
        { typed: ["config", "show", "--origin", "--config", every], env: secrets },
        { typed: ["config", "show", "--origin"], env: settingVariables },
        { typed: ["config", "check"], env: { DAYBOOK_NO_SUCH: "1" } },
      ]);
      const text = (each: typeof file): string => unaligned(mask(shown(each), { home }));
      matchSnapshots({
        "config-schema.json": stableJson(JSON.parse(schema?.out ?? "")),
        "config-example.yaml": example?.out ?? "",
        "config-defaults.txt": text(defaults),
        "config-every-setting.txt": text(file),
        "config-variables.txt": `${text(variables)}\n\n${text(unknown)}`,
      });
    });

    test("each error code has the same exit status", async (t) => {
      const home = folder(t);
      const url = await refusing(t);
      writeFileSync(join(home, "daemon.json"), JSON.stringify({ url, pid: process.pid }));
      writeFileSync(join(home, "token"), "token\n");
      const env = { DAYBOOK_HOME: home };
      const typed = errorCodes.flatMap((code) => [
        { typed: ["show", code], env },
        { typed: ["show", code, "--json"], env },
      ]);
      const finished = await typeLines(home, typed);
      matchSnapshots({ "cli-exit-statuses.txt": finished.map(shown).join("\n\n") });
    });

    test("each error code is the same problem over HTTP", async () => {
      matchSnapshots({ "http-problems.txt": await problems() });
    });

    test("the client's methods send the same requests", async () => {
      const { openapi, lines } = await clientRoutes();
      const unknown = lines.filter(({ route }) => !openapi.has(route));
      assert.deepEqual(unknown, []);
      matchSnapshots({
        "client-routes.txt": lines.map(({ name, route }) => `${name}: ${route}`).join("\n"),
        "undocumented-inputs.json": stableJson(undocumentedInputs()),
      });
    });

    test("the library has the same names and types", async (t) => {
      const book = await main.open({ store: "memory:" });
      const kit = await testing.testDaybook();
      const remote = client.connect({ url: "http://127.0.0.1:9" });
      const objects = {
        "open()": book,
        "open().as()": book.as({}),
        "connect()": remote,
        "testDaybook()": kit,
        "testDaybook().as()": kit.as({}),
      };
      await book.close();
      const lines = Object.entries(objects).map(
        ([name, object]) => `${name}: ${Object.keys(object).toSorted().join(", ")}`,
      );
      const methods = Object.keys(remote).filter((name) => name !== "run");
      const { types, names } = await libraryTypes(methods.toSorted(), folder(t));
      matchSnapshots({
        "library-names.txt": [...lines, names].join("\n"),
        "library-types.txt": types,
      });
    });
  },
);

test("every snapshot belongs to a test", () => {
  const unused = readdirSync(snapshotFolder).filter((name) => !compared.has(name));
  assert.deepEqual(unused, [], "No test used these: delete them, unless a test failed before.");
});

test("the check names and shows a planted difference", () => {
  const kept = readFileSync(join(snapshotFolder, "metrics.txt"), "utf8");
  assert.equal(difference("metrics.txt", kept), undefined);
  const planted = difference("metrics.txt", kept.replace("processing_time_ms", "took_ms")) ?? "";
  assert.match(planted, /^test\/snapshots\/metrics\.txt differs/);
  assert.match(planted, /^-processing_time_ms .*\n\+took_ms /m);
  assert.match(difference("none.txt", "new") ?? "", /^\+new$/m);
});

test("a type has the same text in any order, and another type has not", () => {
  const one = canonicalType(
    `As<{ b?: As<As<"y"> | As<"x">>; readonly a: As<As<true>[] | As<false>> }>`,
  );
  const two = canonicalType(`{ readonly a: false | (true)[]; b?: "x" | "y" }`);
  assert.equal(one, '{\n  b?: "x" | "y"\n  readonly a: false | true[]\n}');
  assert.equal(one, two);
  assert.equal(
    canonicalType("(a: As<true> | As<false>, ...b: [c?: As<1>]) => As<Promise<As<void>>>"),
    "(a: boolean, ...b: [c?: 1]) => Promise<void>",
  );
  assert.notEqual(canonicalType("{ a: string }"), canonicalType("{ a?: string }"));
  assert.throws(() => canonicalType('import("./x.ts").Ours'), /not expanded/);
  assert.throws(() => canonicalType(""), /cannot be read/);
});

type Json = Readonly<Record<string, unknown>>;

/** Examples are kept apart: they may change when the contract does not. */
function withoutExamples(api: Json): { left: unknown; examples: Json } {
  const examples: Record<string, unknown> = {};
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value))
      return value.map((each, at) => walk(each, `${path}/${nameOf(each) ?? at}`));
    if (typeof value !== "object" || value === null) return value;
    const left = Object.entries(value).filter(([key, each]) => {
      const isExample = key === "example" && !path.endsWith("/properties");
      if (isExample) examples[path] = each;
      return !isExample;
    });
    return Object.fromEntries(left.map(([key, each]) => [key, walk(each, `${path}/${key}`)]));
  };
  return { left: walk(api, ""), examples };
}

function nameOf(parameter: unknown): string | undefined {
  const { name } = (parameter ?? {}) as { name?: string };
  return name;
}
