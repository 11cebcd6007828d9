import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { folder } from "./child.ts";
import { clean } from "./net/command-line.ts";
import { bin, startDaemon } from "./net/daemon.ts";

/** The most files that a command loads if a daemon answers it. */
const modulesMax = 60;
/** Processor time, as a multiple of an idle Node: about 3, with room for other machines. */
const ratioMax = 5;
const roundsOfEach = 7;

/** Writes the loaded files to a pipe. It must see the first import, so it is a file of its own. */
const countModules = `
  import { registerHooks } from "node:module";
  import { writeSync } from "node:fs";
  const seen = new Set();
  registerHooks({
    load(url, context, next) {
      if (url.startsWith("file:")) seen.add(url);
      return next(url, context);
    },
  });
  process.on("exit", () => writeSync(3, JSON.stringify([...seen])));
`;
/** Writes the microseconds of processor time to a pipe: other programs on the machine do not change it much. */
const measureTime = `
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    require("fs").writeSync(3, JSON.stringify(user + system));
  });
`;

interface Ran {
  readonly out: string;
  readonly reported: unknown;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const { stdout, stderr } = child;
  const report = child.stdio[3];
  assert.ok(stdout !== null && stderr !== null && report instanceof Readable);
  const [out, err, reported] = await Promise.all(
    [stdout, stderr, report].map((each) => text(each)),
  );
  return { out: `${out}${err}`, reported: JSON.parse(reported ?? "") };
}

const commands: [typed: string[], language: "en" | "ko", answer: RegExp][] = [
  [["remind", "hi", "--at", "+1h"], "en", /in 1 h/],
  [["list"], "en", /hi/],
  [["list", "--json"], "ko", /"message":"hi"/],
  [["list", "--limt", "3"], "en", /did you mean --limit\?/],
  [["show", "nothing"], "ko", /nothing/],
  [["show"], "en", /"id" is missing/],
  [["help"], "en", /^ {2}remind MESSAGE/m],
  [["help", "remind"], "ko", /정한 시각에 한 번/],
];

describe("a command against a running daemon", { timeout: 300_000 }, () => {
  test("loads few files and takes little time", async (t) => {
    const daemon = await startDaemon(t);
    const tools = folder(t);
    const counter = join(tools, "count.mjs");
    const timer = join(tools, "time.cjs");
    writeFileSync(counter, countModules);
    writeFileSync(timer, measureTime);
    const envIn = (language: string): Record<string, string> => ({
      ...clean(daemon.home),
      DAYBOOK_HOME: daemon.home,
      DAYBOOK_LANGUAGE: language,
    });
    for (const [typed, language, answer] of commands) {
      const { out, reported } = await run(["--import", counter, bin, ...typed], envIn(language));
      const count = (reported as readonly string[]).length;
      t.diagnostic(`daybook ${typed.join(" ")} (${language}): ${count} modules`);
      assert.match(out, answer);
      assert.ok(count <= modulesMax, `${count} modules:\n${String(reported)}`);
    }
    const timed = async (...args: string[]): Promise<number> =>
      Number((await run(["--require", timer, ...args], envIn("en"))).reported) / 1_000;
    const bare: number[] = [];
    const list: number[] = [];
    const help: number[] = [];
    for (let round = 0; round < roundsOfEach; round += 1) {
      bare.push(await timed("-e", "0"));
      list.push(await timed(bin, "list"));
      help.push(await timed(bin, "help"));
    }
    for (const [name, times] of Object.entries({ list, help })) {
      const ratio = Math.min(...times) / Math.min(...bare);
      t.diagnostic(`daybook ${name}: ${ratio.toFixed(1)} times the processor time of node -e 0`);
      assert.ok(ratio <= ratioMax, `${name} takes ${ratio.toFixed(1)} times as long`);
    }
  });
});
