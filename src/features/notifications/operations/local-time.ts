import type { Reader } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { inWords } from "../../../time/times.ts";

/** A moment of an answer, as its reader says it. */
export function localTime(
  at: string,
  { zone, language }: Pick<Reader, "zone" | "language">,
): string {
  return inWords(fromIso(at), zone, language);
}
