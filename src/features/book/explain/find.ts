import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { schedulesIn } from "../../schedules/operations/find-schedule.ts";
import { liveNamed } from "../../workspaces/operations/find-workspace.ts";

const idsNamedMax = 5;

/** A record by its id, or a schedule by its name; what can mean two things is not guessed. */
export async function findAny(book: Book, which: string): Promise<AnyRecord> {
  const record = await book.get(which);
  const [named] = await called(book, which, true); // only one of those that live has the name
  if (record !== undefined && named !== undefined && named.id !== record.id) {
    const sentence = `${quote(which)} is the id of a ${record.kind} and the name of a schedule: rename that one, or ask for its id, ${named.id}.`;
    throw new DaybookError("conflict", sentence, { details: { ids: [record.id, named.id] } });
  }
  const found = record ?? named;
  if (found !== undefined) return found;
  const [ended, ...others] = await called(book, which, false);
  const workspace = ended === undefined ? await liveNamed(book, which) : undefined;
  if (workspace !== undefined) return workspace;
  if (ended === undefined) {
    const sentence = `There is no record and no schedule ${quote(which)} in this book: see daybook list and daybook schedules.`;
    throw new DaybookError("not_found", sentence, { details: { id: which } });
  }
  if (others.length === 0) return ended;
  const ids = [ended, ...others].map(({ id }) => id).slice(0, idsNamedMax);
  const sentence = `${others.length + 1} schedules called ${quote(which)} have ended: ask by id, the newest first: ${ids.join(", ")}.`;
  throw new DaybookError("conflict", sentence, { details: { ids } });
}

async function called(book: Book, name: string, live: boolean): Promise<readonly AnyRecord[]> {
  const same = name.toLowerCase();
  const all = await schedulesIn(book, { live, order: "newest" });
  return all.filter(({ body }) => body.name.toLowerCase() === same);
}
