import { DaybookError } from "../../platform/errors.ts";
import { linesIn } from "../../platform/lines.ts";
import type { CliPorts, Run, Typed } from "./command.ts";
import type { ImportFile, ImportOperations } from "./import-request.ts";
import { fileBytes, readStdin } from "./input-file.ts";

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
