import type { CliPorts, GivenInput, OperationEntry } from "./command.ts";

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

export interface ImportPorts {
  readonly operations: ImportOperations;
  readonly ports: CliPorts;
  readonly json: boolean;
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
