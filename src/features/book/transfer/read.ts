import type * as z from "zod";
import { isLive, statesOf } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { Transferred, TransferPart } from "../../../kernel/transfer.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { readJson } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { validationMessage } from "../../../platform/validation-message.ts";
import { secretBytes, secretFrom } from "../../notifications/index.ts";
import {
  endLine,
  format,
  formatOf,
  headLine,
  isExport,
  recordLine,
  type HeadLine,
} from "./file.ts";

/** A problem of one line, and of the record on it where it has one. */
export interface LineProblem {
  readonly line: number;
  readonly id: string | null;
  readonly problem: string;
}

/** A record, and the line that it stands on. */
export interface ReadRecord {
  readonly line: number;
  readonly record: Transferred;
  readonly part: TransferPart;
  /** The new secret that a live record signs its calls with. */
  readonly secret: string | undefined;
}

export interface ReadFile {
  readonly records: readonly ReadRecord[];
  readonly problems: readonly LineProblem[];
}

interface FileLines {
  readonly lines: readonly string[];
  /** The number of the second line in its file: a part of a file has the first line before it. */
  readonly from: number;
  /** A part of a file has no end of its own. */
  readonly isPart: boolean;
}

/** Reads the lines of an exported book. Throws what is wrong with the file as a whole. */
export function readFile(
  { lines: [first = "", ...rest], from, isPart }: FileLines,
  parts: readonly TransferPart[],
  context: Context,
): ReadFile {
  checkHead(readHead(first), context);
  const body = isPart ? rest : withoutEnd(rest, from);
  const byKind = new Map(parts.map((part) => [part.kind.name, part]));
  const records: ReadRecord[] = [];
  const problems: LineProblem[] = [];
  const seen = new Map<string, number>();
  for (const [index, text] of body.entries()) {
    const line = from + index;
    let value: unknown;
    try {
      value = jsonOf(text);
      const read = { line, ...readRecord(value, byKind, context) };
      checkOnce(read, seen);
      records.push(read);
    } catch (error) {
      if (!hasCode(error, "invalid", "too_large")) throw error;
      problems.push({ line, id: idOf(value), problem: error.message });
    }
  }
  return { records, problems };
}

/** The first line. Throws when this program cannot read the file. */
export function readHead(first: string): HeadLine {
  const read = readJson(Buffer.from(first));
  const value = "wrong" in read ? undefined : read.value;
  if (!isExport(value)) {
    throw invalid(
      "This is not an exported book: its first line must be the one that an export writes.",
    );
  }
  const name = formatOf(value) ?? "";
  if (name !== format) {
    const sentence = `The file has the format ${quote(name)}, and this Daybook reads ${quote(format)}: use the version that wrote it.`;
    throw new DaybookError("unsupported", sentence);
  }
  return parsed(headLine, value);
}

function checkHead({ owner }: HeadLine, context: Context): void {
  if (owner === context.owner) return;
  const sentence = `The file has the book of ${quote(owner)}, and you use that of ${quote(context.owner)}: use a token of ${quote(owner)}.`;
  throw new DaybookError("refused", sentence, { details: { owner } });
}

/** The lines before the end, which says how many there are. */
function withoutEnd(lines: readonly string[], from: number): readonly string[] {
  checkEnd(lines.at(-1) ?? "", lines.length - 1, from + lines.length - 1);
  return lines.slice(0, -1);
}

/** Throws unless the last line of a file is its end, and counts the records before it. */
export function checkEnd(last: string, records: number, line: number): void {
  const read = readJson(Buffer.from(last));
  const value = "wrong" in read ? undefined : read.value;
  if (typeof value !== "object" || value === null || !("end" in value)) {
    throw invalid(
      "The file is cut off: its last line, which counts the records, is missing. Export the book again.",
    );
  }
  const end = parsed(endLine, value);
  if (end.records === records) return;
  throw invalid(
    `Line ${line} counts ${end.records} records, and ${records} lines stand before it: export the book again.`,
  );
}

function readRecord(
  value: unknown,
  byKind: ReadonlyMap<string, TransferPart>,
  context: Context,
): Omit<ReadRecord, "line"> {
  const given = parsed(recordLine, value);
  const part = byKind.get(given.kind);
  if (part === undefined) {
    const sentence = `A record of the kind ${quote(given.kind)} is not imported: choose from ${[...byKind.keys()].join(", ")}.`;
    throw invalid(sentence);
  }
  const secret = secretFrom(context.randomBytes(secretBytes));
  const body = part.withSecret?.(given.body, secret) ?? given.body;
  const record = { ...given, body };
  checkKind(part.kind, record);
  const isSigned = body !== given.body && record.endedAt === null;
  return { record, part, secret: isSigned ? secret : undefined };
}

/** Checks a record by its kind: its state, and its body and outcome by their schemas. */
function checkKind(kind: TransferPart["kind"], record: Transferred): void {
  const { state, endedAt, body, outcome } = record;
  if (!statesOf(kind).includes(state)) {
    throw invalid(
      `A ${kind.name} has no state ${quote(state)}: choose from ${statesOf(kind).join(", ")}.`,
    );
  }
  if (isLive(kind, state) !== (endedAt === null)) {
    const sentence =
      endedAt === null
        ? `The state ${quote(state)} is an end: give "ended_at".`
        : `The state ${quote(state)} is no end: set "ended_at" to null.`;
    throw invalid(sentence);
  }
  const inBody = problemOf(kind.body, body);
  if (inBody !== undefined) throw invalid(`The body is wrong: ${inBody}.`);
  const inOutcome = outcome === null ? undefined : problemOf(kind.outcome, outcome);
  if (inOutcome !== undefined) throw invalid(`The outcome is wrong: ${inOutcome}.`);
}

/** A kind without a schema takes everything. */
function problemOf(schema: z.ZodType | undefined, value: unknown): string | undefined {
  const error = schema?.safeParse(value).error;
  return error && validationMessage(value, error);
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw invalid(`The line is wrong: ${validationMessage(value, read.error)}.`);
}

function checkOnce({ line, record: { id } }: ReadRecord, seen: Map<string, number>): void {
  const before = seen.get(id);
  if (before !== undefined) throw invalid(`The id ${quote(id)} stands on line ${before} already.`);
  seen.set(id, line);
}

function jsonOf(text: string): unknown {
  const read = readJson(Buffer.from(text));
  if ("wrong" in read) throw invalid(read.wrong);
  return read.value;
}

function idOf(value: unknown): string | null {
  const { id } = (value ?? {}) as { readonly id?: unknown };
  return typeof id === "string" ? id : null;
}

function invalid(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}
