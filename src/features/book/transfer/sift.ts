import type { Book } from "../../../kernel/ledger.ts";
import { newId } from "../../../kernel/new-id.ts";
import type { Context } from "../../../kernel/operation.ts";
import { rehearseAppend } from "../../../kernel/rehearsal.ts";
import type { Draft } from "../../../kernel/unit.ts";
import { hasCode, type DaybookError } from "../../../platform/errors.ts";
import type { ReadDraft } from "./drafts.ts";
import type { LineProblem } from "./read.ts";

/** A record that is here under another id: its key stands for that one. */
interface KnownRecord {
  readonly line: number;
  readonly id: string;
  readonly as: string;
}

export interface Sifted {
  /** These can be written as one unit. */
  readonly fresh: readonly ReadDraft[];
  readonly known: readonly KnownRecord[];
  readonly problems: readonly LineProblem[];
}

type Found = { readonly as: string } | { readonly problem: string } | undefined;

/** Finds out by the ledger itself what could be written, without writing anything. */
export async function sift(
  drafts: readonly ReadDraft[],
  book: Book,
  context: Context,
): Promise<Sifted> {
  const probe = prober(book, context);
  // A key may stand for a record with another id, which a unit does not report of its consequences.
  const keyed = await siftEach(drafts, probe, ({ draft }) => draft.key !== undefined);
  if (await isPossible(keyed.fresh, probe)) return keyed;
  const each = await siftEach(keyed.fresh, probe, () => true);
  const fitting = await withoutRivals(each.fresh, probe);
  return {
    fresh: fitting.fresh,
    known: [...keyed.known, ...each.known],
    problems: [...keyed.problems, ...each.problems, ...fitting.problems],
  };
}

interface Probe {
  /** Throws what refuses the unit. */
  unit(drafts: readonly Draft[]): Promise<{ readonly id: string } | undefined>;
  one(read: ReadDraft): Promise<Found>;
}

function prober(book: Book, context: Context): Probe {
  const unit: Probe["unit"] = async ([first, ...others]) =>
    first === undefined ? undefined : rehearseAppend(book, [first, ...others], newId(context));
  return {
    unit,
    async one({ draft, record, part }) {
      try {
        const known = await unit([draft]);
        return known && { as: known.id };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const other = error.details["id"];
        const isKey = error.code === "conflict" && typeof other === "string" && other !== draft.id;
        if (isKey) return { as: other };
        const shown = part.refusal?.(error, record, context) ?? error;
        return { problem: (shown as DaybookError).message };
      }
    },
  };
}

/** The ledger refuses a record for what it is, and not because it cannot be reached. */
function isRefusal(error: unknown): error is DaybookError {
  return hasCode(error, "conflict", "held", "invalid", "too_large");
}

/** Tries the chosen drafts one by one. */
async function siftEach(
  drafts: readonly ReadDraft[],
  probe: Probe,
  isTried: (read: ReadDraft) => boolean,
): Promise<Sifted> {
  const found = await Promise.all(
    drafts.map(async (read) => (isTried(read) ? probe.one(read) : undefined)),
  );
  const known: KnownRecord[] = [];
  const problems: LineProblem[] = [];
  const fresh = drafts.filter(({ line, record: { id } }, index) => {
    const each = found[index];
    if (each === undefined) return true;
    if ("as" in each) known.push({ line, id, as: each.as });
    else problems.push({ line, id, problem: each.problem });
    return false;
  });
  return { fresh, known, problems };
}

async function isPossible(drafts: readonly ReadDraft[], probe: Probe): Promise<boolean> {
  try {
    return (await probe.unit(drafts.map(({ draft }) => draft))) === undefined;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

const rivalsMax = 20;

/** Each alone can be written. Of those that want the same name, the last ones are refused. */
async function withoutRivals(
  drafts: readonly ReadDraft[],
  probe: Probe,
): Promise<Pick<Sifted, "fresh" | "problems">> {
  const problems: LineProblem[] = [];
  let fresh = drafts;
  while (problems.length < rivalsMax) {
    try {
      await probe.unit(fresh.map(({ draft }) => draft));
      break;
    } catch (error) {
      const name = hasCode(error, "held") ? error.details["name"] : undefined;
      const rival = fresh.findLast(({ draft }) => wants(draft, name));
      if (rival === undefined || !(error instanceof Error)) throw error;
      problems.push({ line: rival.line, id: rival.record.id, problem: error.message });
      fresh = fresh.filter((read) => read !== rival);
    }
  }
  return { fresh, problems };
}

function wants({ holds = [] }: { readonly holds?: Draft["holds"] }, name: unknown): boolean {
  const names = holds.flatMap((hold) => (typeof hold === "string" ? [hold] : hold.oneOf));
  return names.some((each) => each === name);
}
