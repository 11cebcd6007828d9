import { DaybookError } from "../../platform/errors.ts";
import { linesIn } from "../../platform/lines.ts";
import type { CliPorts, GivenInput, OperationEntry, Run, Typed } from "./command.ts";
import { fileBytes, readStdin } from "./input-file.ts";

/** A file that can be read again and again. */
export interface ImportFile {
  bytes(): AsyncIterable<Uint8Array>;
  readonly isDry: boolean;
  /** Where notifications of another ledger are sent. */
  readonly target: unknown;
}

/** What the two kinds of files are imported by. */
export interface ImportOperations {
  readonly book: OperationEntry;
  readonly notifications: OperationEntry;
}

/** Imports a file by what it is: an exported book, or the notifications of another ledger. */
export function importRun(operations: ImportOperations): Run {
  return async (typed, ports) => {
    const file = await fileFrom(typed, ports);
    const { isExport } = await import("../../features/book/index.ts");
    const first = await firstLine(file);
    const run = isExport(first)
      ? (await import("./import-book.ts")).importBook
      : (await import("./import-rows.ts")).importRows;
    return run(file, { operations, ports, json: typed.json });
  };
}

export interface ImportPorts {
  readonly operations: ImportOperations;
  readonly ports: CliPorts;
  readonly json: boolean;
}

/** Standard input is read once, so it is kept, and may be no longer than that. */
const stdinBytesMax = 8 * 2 ** 20;

async function fileFrom({ input, dashes }: Typed, ports: CliPorts): Promise<ImportFile> {
  const { lines: path, dry_run: dry, target } = input;
  const options = { isDry: dry === true, target };
  if (dashes.includes("lines")) {
    const text = Buffer.from(await readStdin(ports.stdin(), stdinBytesMax));
    return { ...options, bytes: () => pieces(text) };
  }
  if (typeof path === "string") return { ...options, bytes: () => fileBytes(path, ports) };
  throw new DaybookError("invalid", "Name the file to import: daybook import FILE.");
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

const firstCharsMax = 2 ** 20;

/** The first line as JSON. Undefined when it is none: JSON over several lines, or one long line. */
async function firstLine({ bytes }: ImportFile): Promise<unknown> {
  try {
    for await (const line of linesIn(bytes(), firstCharsMax)) return JSON.parse(line);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof DaybookError && error.code === "too_large") return undefined;
    throw error;
  }
}

/** The answers of several requests as one: numbers are added, lists joined; of the rest the first counts. */
export function summed<Answer extends GivenInput>(answers: readonly Answer[]): Answer {
  return answers.reduce((all, each) => joined(all, each) as Answer);
}

function joined(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
  if (!isObject(a) || !isObject(b)) return a ?? b;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, joined(a[name], b[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
