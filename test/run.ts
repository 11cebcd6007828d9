import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { isFullDepth } from "../src/testing/depth.ts";
import { memoryFolder } from "./memory-folder.ts";

/**
 * `npm test`, or `npm test -- FILE…`. A process per test file costs more than most files do, so those that
 * leave the process as it is share one.
 */
const root = join(import.meta.dirname, "..");
const named = process.argv.slice(2);
const everything = ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"];

/** What stands in the path or text of a file that starts processes or servers, or changes the process that it runs in. */
const needsOwnProcess =
  /node:child_process|\/child\.ts"|\/(crash|docker|postgres|simulator)\/|import\.meta\.filename|process\.(argv|env|exit|kill|off|on|once|seteuid)\b|^(before|after)(Each)?\(/m;

/** Not more: what tests leave behind in memory adds up. */
const filesPerProcess = 40;

/** Of this run: it is removed at the end. */
const folder = temporaryFolder();
process.on("exit", () => rmSync(folder, { recursive: true, maxRetries: 5 }));
// What stays in memory stays until the machine starts again.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** The files of a sample are in memory: a disk costs time. Full depth has its files where they are in production. */
function temporaryFolder(): string {
  const inMemory = isFullDepth ? undefined : memoryFolder();
  if (inMemory === undefined) return mkdtempSync(join(tmpdir(), "daybook-tests-"));
  process.env["TMPDIR"] = inMemory;
  return inMemory;
}

/** Modules that load so many of these files each. */
function shared(files: readonly string[]): readonly string[] {
  const starts = files.flatMap((_, index) => (index % filesPerProcess === 0 ? [index] : []));
  return starts.map((start, index) => {
    const imports = files
      .slice(start, start + filesPerProcess)
      .map((file) => `await import(${JSON.stringify(pathToFileURL(resolve(root, file)).href)});\n`);
    const path = join(folder, `together-${index + 1}.mjs`);
    writeFileSync(path, imports.join(""));
    return path;
  });
}

const read = (file: string): string => readFileSync(resolve(root, file), "utf8");

function filesToRun(): readonly string[] {
  const patterns = named.length > 0 ? named : everything;
  const files = globSync(patterns, { cwd: root }).toSorted();
  if (files.length === 0) throw new Error(`No test file is named ${patterns.join(" or ")}.`);
  const { alone = [], together = [] } = Object.groupBy(files, (file) =>
    needsOwnProcess.test(`${file}\n${read(file)}`) ? "alone" : "together",
  );
  return [...shared(together), ...alone.map((file) => resolve(root, file))];
}

run({
  files: filesToRun(),
  execArgv: ["--import", pathToFileURL(join(import.meta.dirname, "light-runner.ts")).href],
  // Many tests wait for something: one more than there are cores keeps them busy.
  concurrency: availableParallelism() + 1,
  timeout: 30 * 60_000, // a test that hangs, and none that a busy machine delays
})
  .on("test:fail", ({ name, details: { error } }) => {
    process.exitCode = 1;
    const { exitCode, signal } = error as { exitCode?: number | null; signal?: string | null };
    if (exitCode !== undefined) console.error(`${name} ended with ${signal ?? exitCode}.`);
  })
  .compose(spec)
  .pipe(process.stdout);
