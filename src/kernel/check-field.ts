import { DaybookError } from "../platform/errors.ts";

/** The limits of a record. Larger content belongs in its output, or elsewhere. */
export const limits: Readonly<
  Record<"bodyBytesMax" | "nameCharsMax" | "noteCharsMax" | "holdsMax" | "consequencesMax", number>
> = {
  bodyBytesMax: 256 * 1024,
  nameCharsMax: 256,
  noteCharsMax: 10_000,
  holdsMax: 64,
  consequencesMax: 10_000,
};

export function checkName(field: string, name: string): void {
  if (!isText(name) || name === "" || name !== name.trim()) {
    throw invalid(
      `"${field}" must be a name without spaces around it; got ${JSON.stringify(name)}.`,
    );
  }
  if (name.length > limits.nameCharsMax) throw tooLarge(field, limits.nameCharsMax);
}

/** Not every store can read back a lone surrogate or NUL. */
function isText(value: unknown): boolean {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}

export function checkTime(field: string, time: unknown): void {
  if (time === null || time === undefined) return;
  if (!Number.isSafeInteger(time) || Number(time) < 0) {
    throw invalid(`"${field}" must be whole milliseconds since 1970; got ${JSON.stringify(time)}.`);
  }
}

export function checkCount(field: string, count: number, min: number): void {
  if (Number.isSafeInteger(count) && count >= min) return;
  throw invalid(`"${field}" must be a whole number from ${min}; got ${count}.`);
}

export function checkNote(field: string, note: string | undefined): void {
  if (note === undefined) return;
  if (!isText(note)) throw invalid(`"${field}" must be a text.`);
  if (note.length > limits.noteCharsMax) throw tooLarge(field, limits.noteCharsMax);
}

export function checkJson(field: string, value: unknown): void {
  if (value === undefined) return;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new DaybookError("invalid", `"${field}" must be plain JSON.`, { cause });
  }
  if (text === undefined) throw invalid(`"${field}" must be plain JSON.`);
  if (Buffer.byteLength(text) > limits.bodyBytesMax) throw tooLarge(field, limits.bodyBytesMax);
}

export function invalid(message: string): DaybookError {
  return new DaybookError("invalid", message);
}

export function tooLarge(what: string, max: number): DaybookError {
  return new DaybookError("too_large", `"${what}" is over its limit of ${max}: make it smaller.`, {
    details: { what, max },
  });
}
