import {
  checkEnd,
  importRefusal,
  type ImportResult,
  readHead,
  renderImport,
} from "../../features/book/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { linesIn } from "../../platform/lines.ts";
import { type CliPorts, exits } from "./command.ts";
import { type ImportFile, type ImportPorts, summed } from "./import-request.ts";
import { textsOf } from "./texts.ts";

/** What one request takes: the whole of a small file, or a part of a longer one. */
const partLinesMax = 1_000;
const partBytesMax = 3 * 2 ** 20;
/** More than any record has. */
const lineCharsMax = 4 * 2 ** 20;

/** Imports an exported book. */
export async function importBook(
  file: ImportFile,
  { operations, ports, json }: ImportPorts,
): Promise<number> {
  if (file.target !== undefined) {
    throw new DaybookError(
      "invalid",
      "An exported book has the targets of its messages: leave out --target.",
    );
  }
  const reader = await ports.reader();
  const scanned = await scan(file);
  const texts = textsOf(reader.language);
  const result = await ports.asking(async (ask) => {
    const request: Request = async (lines, more) => {
      const input = { lines: [scanned.head, ...lines], ...more };
      return (await ask(operations.book, input, "json")).output as ImportResult; // its own answer
    };
    const parts = { file, scanned, request, progress: ports.progress, texts };
    return scanned.isSmall ? inOne(parts) : inParts(parts);
  });
  ports.progress("");
  ports.out(json ? JSON.stringify(result) : renderImport(result, reader));
  return result.refused > 0 ? exits.badInput : exits.done;
}

interface Scanned {
  readonly head: string;
  readonly records: number;
  /** One request takes all of it. */
  readonly isSmall: boolean;
  /** Lines whose id stands on an earlier line. */
  readonly repeated: ImportResult["problems"];
}

/** Reads the file once, to see that it is complete before anything of it is sent. */
async function scan({ bytes }: ImportFile): Promise<Scanned> {
  const seen = new Map<string, number>();
  const repeated: ImportResult["problems"] = [];
  let [head, last] = ["", ""];
  let [line, size] = [0, 0];
  for await (const text of linesIn(bytes(), lineCharsMax)) {
    line += 1;
    last = text;
    size += sizeOf(text);
    if (line === 1) {
      readHead(text);
      head = text;
      continue;
    }
    const id = idOf(text);
    const before = id === undefined ? undefined : seen.get(id);
    if (id !== undefined && before === undefined) seen.set(id, line);
    if (id === undefined || before === undefined) continue;
    repeated.push({ line, id, problem: `The id "${id}" stands on line ${before} already.` });
  }
  const records = Math.max(line - 2, 0);
  checkEnd(line > 1 ? last : "", records, line);
  return { head, records, isSmall: records <= partLinesMax && size <= partBytesMax, repeated };
}

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line));
}

/** A line that cannot be read is reported with the others. */
function idOf(line: string): string | undefined {
  try {
    const { id } = (JSON.parse(line) ?? {}) as { readonly id?: unknown };
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

type Request = (lines: readonly string[], more: object) => Promise<ImportResult>;

interface Parts {
  readonly file: ImportFile;
  readonly scanned: Scanned;
  readonly request: Request;
  readonly progress: CliPorts["progress"];
  readonly texts: ReturnType<typeof textsOf>;
}

async function inOne({ file, request }: Parts): Promise<ImportResult> {
  const lines = await Array.fromAsync(linesIn(file.bytes(), lineCharsMax));
  return request(lines.slice(1), { dry_run: file.isDry });
}

/**
 * All parts are checked before the first is written. Then all are written, without the times of live records: whatever
 * ends this program, nothing of a half of the book is sent or run. Only then they get their times.
 */
async function inParts(parts: Parts): Promise<ImportResult> {
  const { file, scanned, texts } = parts;
  const checked = await eachPart(parts, texts.importChecked, { dry_run: true, parked: true });
  const problems = [...checked.problems, ...scanned.repeated].toSorted((a, b) => a.line - b.line);
  if (file.isDry) return { ...checked, problems, refused: problems.length };
  if (problems.length > 0) throw importRefusal(problems, scanned.records + 2);
  const written = await eachPart(parts, texts.importWritten, { dry_run: false, parked: true });
  const started = await eachPart(parts, texts.importStarted, { dry_run: false, parked: false });
  return { ...written, parked: 0, started: started.started - written.parked };
}

async function eachPart(
  { file, scanned, request, progress }: Parts,
  text: (done: number, records: number) => string,
  { dry_run, parked }: { readonly dry_run: boolean; readonly parked: boolean },
): Promise<ImportResult> {
  const answers: ImportResult[] = [];
  let done = 0;
  for await (const { line, lines } of partsOf(file, scanned.records)) {
    answers.push(await request(lines, { dry_run, part: { line, parked } }));
    done += lines.length;
    progress(text(done, scanned.records));
  }
  return summed(answers);
}

interface Part {
  /** The number of its first line. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** The records of the file, without its first line and its end. */
async function* partsOf(file: ImportFile, records: number): AsyncGenerator<Part, void> {
  let lines: string[] = [];
  let [line, number, size] = [2, 0, 0];
  for await (const text of linesIn(file.bytes(), lineCharsMax)) {
    number += 1;
    if (number === 1 || number > records + 1) continue;
    const bytes = sizeOf(text);
    if (lines.length === partLinesMax || (lines.length > 0 && size + bytes > partBytesMax)) {
      yield { line, lines };
      [lines, line, size] = [[], number, 0];
    }
    lines.push(text);
    size += bytes;
  }
  if (lines.length > 0) yield { line, lines };
}
