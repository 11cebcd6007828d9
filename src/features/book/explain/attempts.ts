import type { ChangeView } from "../../../kernel/explain.ts";
import type { Reader } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { span } from "../../../time/times.ts";
import { localTime } from "../../accounts/index.ts";
import type { Texts } from "../texts.ts";

const charsMax = 200;

/** Attempts in a row that left the record alike: while it waits, it is claimed again and again. */
interface Alike {
  readonly first: ChangeView;
  readonly last: ChangeView;
  readonly count: number;
  readonly by: readonly string[];
  /** The newest. */
  readonly note: string | null;
}

/** A line for all attempts in a row that left the record alike. */
export function attemptLines(
  attempts: readonly ChangeView[],
  { reader, texts }: { reader: Reader; texts: Texts },
): string[] {
  const groups: Alike[] = [];
  for (const each of attempts) {
    const before = groups.at(-1);
    const { by, note } = each;
    if (before === undefined || !isAlike(before, each)) {
      groups.push({ first: each, last: each, count: 1, by: [by], note });
      continue;
    }
    const names = before.by.includes(by) ? before.by : [...before.by, by];
    const count = before.count + 1;
    groups[groups.length - 1] = {
      ...before,
      last: each,
      count,
      by: names,
      note: note ?? before.note,
    };
  }
  return groups.map((group) => lineOf(group, attempts.length === 1, { reader, texts }));
}

/** A note is written when it differs from the one before, if only in its numbers. */
function isAlike(
  { first, note: known }: Alike,
  { what, state, attempt, note }: ChangeView,
): boolean {
  const isSame = first.what === what && first.state === state && first.attempt === attempt;
  const isSaid = note === null || withoutNumbers(note) === withoutNumbers(known ?? "");
  return what === "settled" && isSame && isSaid;
}

function withoutNumbers(note: string): string {
  return note.replaceAll(/\d+(?:\.\d+)?/g, "0");
}

/** The headline and the duration show when the only attempt started. */
function lineOf(
  { first, last, count, by: names, note }: Alike,
  isOnly: boolean,
  { reader, texts }: { reader: Reader; texts: Texts },
): string {
  const { what, state, claimed_at: start } = first;
  const attempt = String(first.attempt);
  const by = names.join(", ");
  const why = noteText(note, texts);
  if (count > 1) {
    const from = localTime(start ?? first.at, reader);
    const to = localTime(last.claimed_at ?? last.at, reader);
    return `${texts.attempts({ attempt, by, state, count: String(count), from, to })}${why}`;
  }
  const when = start === null || isOnly ? null : localTime(start, reader);
  if (what === "lapsed") return texts.cutOff({ attempt, by, when });
  const took = start === null ? null : span(fromIso(first.at) - fromIso(start), reader.language);
  return `${texts.attempt({ attempt, by, state, took, when })}${why}`;
}

export function noteText(note: string | null, texts: Texts): string {
  return note === null ? "" : `: ${oneLine(texts.reason(note), charsMax)}`;
}
