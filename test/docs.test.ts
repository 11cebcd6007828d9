import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadConfig } from "../src/app/config/load.ts";
import { checkSchedules } from "../src/app/daemon/check-schedules.ts";
import { systemClock } from "../src/platform/clock.ts";
import { log } from "../src/platform/log.ts";
import type { PlatformPorts } from "../src/platform/ports.ts";
import { systemRandom } from "../src/platform/random.ts";
import { child, folder } from "./child.ts";
import {
  blocksIn,
  blocksOf,
  commandsOf,
  fragments,
  notRun,
  pages,
  textOf,
  withoutComment,
  writePrograms,
  type Block,
} from "./docs-blocks.ts";
import { readerFolder, usualUrl } from "./docs-folder.ts";
import { triedOut, writeApp } from "./embed-app.ts";
import { bin } from "./walk-book.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const programPages = [...new Set(blocksIn("ts").map(({ page }) => page))].filter(
  (page) => fragments[page] === undefined,
);
const where = ({ page, line }: Block): string => `${page}:${line}`;

describe("the commands of the pages", { timeout: 300_000, concurrency: 3 }, () => {
  for (const page of pages) {
    const scripts = blocksOf(page)
      .filter(({ language }) => language === "sh" || language === "")
      .map((block) => ({ block, lines: commandsOf(block).filter((line) => isRun(line)) }))
      .filter(({ lines }) => lines.length > 0);
    if (scripts.length === 0) continue;
    test(`run as ${page} shows them`, async (t) => {
      const reader = await readerFolder(t, { hasDaemon: true });
      const first = firstMessages[page];
      const inbox = first && child(t, bin, ["attach"], reader.set);
      for (const { block, lines } of scripts) {
        const printed = await reader.type(lines).catch((error: unknown) => {
          throw new Error(`${where(block)}: ${String(error)}`, { cause: error });
        });
        assert.notEqual(printed.trim(), "", where(block));
        // A reader waits for it before going on, and so does not move it.
        if (first !== undefined) await inbox?.line(first);
      }
    });
  }

  test("that are not run stand in a page", () => {
    const all = new Set(pages.flatMap(blocksOf).flatMap(commandsOf).map(withoutComment));
    const gone = Object.keys(notRun).filter((line) => !all.has(line));
    assert.deepEqual(gone, []);
  });
});

/** What arrives in the terminal that listens. */
const firstMessages: Readonly<Record<string, RegExp>> = {
  "README.md": /  stand-up$/,
  "README.ko.md": /  스탠드업$/,
};

function isRun(line: string): boolean {
  return !Object.hasOwn(notRun, withoutComment(line));
}

describe("the settings of the pages", () => {
  for (const block of blocksIn("yaml")) {
    test(`pass the checks of config check: ${where(block)}`, async () => {
      const names = [...block.code.matchAll(/env: (\w+)/g)].map(([, name = ""]) => name);
      const set = names.map((name) => [name, name === "SMTP_URL" ? mailServer : secret]);
      const { config, warnings } = loadConfig({
        env: { ...Object.fromEntries(set), DAYBOOK_ALLOW_COMMANDS: "1" },
        flags: {},
        cwd: "/somewhere",
        isTerminal: false,
        readText: (path) => (path === "/somewhere/daybook.yaml" ? block.code : undefined),
      });
      assert.deepEqual(warnings, []);
      await checkSchedules(config, platform);
    });
  }
});

/** A secret that has every form: long enough for a token, and valid for a webhook. */
const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const mailServer = "smtp://daybook:secret@mail.example.org:587";
const platform: PlatformPorts = {
  clock: systemClock(),
  random: systemRandom(),
  log: log({
    write: () => undefined,
    clock: systemClock(),
    level: "error",
    format: "json",
    color: false,
  }),
};

test("every block of the pages is of a language that is checked", () => {
  const languages = new Set(pages.flatMap(blocksOf).map(({ language }) => language));
  assert.deepEqual([...languages].toSorted(), ["", "json", "mermaid", "sh", "ts", "yaml"]);
  for (const page of pages) {
    const fences = [...textOf(page).matchAll(/^\s*```/gm)];
    assert.equal(fences.length, 2 * blocksOf(page).length, page);
  }
});

test("the JSON of the pages can be read", () => {
  const blocks = blocksIn("json");
  assert.ok(blocks.length >= 5);
  for (const block of blocks) {
    assert.doesNotThrow(() => JSON.parse(block.code), where(block));
  }
});

test("every link in the pages leads to a file", () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, to = ""]) => ({ page, to }))
      .filter(({ to }) => !/^\w+:/.test(to)),
  );
  assert.ok(links.length > 100);
  const broken = links.filter(({ page, to }) => !existsSync(join(root, dirname(page), to)));
  assert.deepEqual(broken, []);
});

describe("the TypeScript of the pages", { timeout: 300_000 }, () => {
  test("has no type errors", async (t) => {
    const home = folder(t);
    symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
    for (const page of programPages)
      writePrograms(page, join(home, page.replaceAll("/", "-")), fromSource);
    const config = { extends: join(root, "tsconfig.json"), include: ["."] };
    const types = [join(root, "node_modules/@types")];
    writeFileSync(join(home, "package.json"), '{"type":"module"}');
    const compilerOptions = {
      rewriteRelativeImportExtensions: false,
      lib: ["esnext"],
      typeRoots: types,
    };
    writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ ...config, compilerOptions }));
    const tsc = join(root, "node_modules/.bin/tsc");
    const checked = await run(tsc, ["-p", home]).catch((error: unknown) => error);
    assert.equal((checked as { stdout: string }).stdout, "");
  });

  for (const page of programPages) {
    test(`runs as ${page} shows it`, async (t) => runPrograms(t, page));
  }
});

/** What programs print that run until they are stopped. */
const prints: Readonly<Record<string, RegExp>> = {
  "README.md": /^desk: stand-up$/,
  "README.ko.md": /^desk: 스탠드업$/,
};

/** The program with the library from its source. */
function fromSource(code: string): string {
  return code.replaceAll(/"daybook(\/\w+)?"/g, (name) => JSON.stringify(sources[name] ?? name));
}

const sources: Readonly<Record<string, string>> = {
  '"daybook"': join(root, "src/index.ts"),
  '"daybook/client"': join(root, "src/app/library/client.ts"),
  '"daybook/testing"': join(root, "src/app/testing-kit/testing-kit.ts"),
};

async function runPrograms(t: TestContext, page: string): Promise<void> {
  const blocks = blocksOf(page).filter(({ language }) => language === "ts");
  const hasDaemon = blocks.some(({ code }) => code.includes(usualUrl));
  const { path: cwd, ...reader } = await readerFolder(t, { hasDaemon });
  const write = page === "docs/embed.md" ? writeApp : writePrograms.bind(undefined, page);
  const inFolder = (code: string): string => code.replaceAll("sqlite:./", `sqlite:${cwd}/`);
  const names = write(cwd, (code) => inFolder(reader.withPort(fromSource(code))));
  const env = { ...reader.env, PORT: "0", PAGER_URL: "http://127.0.0.1:9" };
  for (const name of names) {
    const endless = prints[page];
    if (endless === undefined) {
      const { stdout } = await run(process.execPath, [name], { cwd, env });
      if (name === "server.ts") assert.equal(stdout.trim(), triedOut);
    } else {
      await child(t, join(cwd, name), []).line(endless);
    }
  }
}
