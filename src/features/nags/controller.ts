import type { Controller } from "../../kernel/controller.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { hasCode } from "../../platform/errors.ts";
import { notificationKind } from "../notifications/kind.ts";
import { minuteOf } from "./free-minute.ts";
import { type NagKind, nagKind } from "./kind.ts";
import { pageRecordId, pageKind } from "./page.ts";
import { isComputed, type NagSeen } from "./plan.ts";
import { decideNag, nagNeeds } from "./verdict.ts";

interface NaggerOptions {
  ledger: Ledger;
  /** When an owner's day is open. */
  profile(owner: string): Promise<Profile>;
  /** The same as it is at this moment, when the other may remember what was before. */
  profileNow?(owner: string): Promise<Profile>;
}

/** So many minutes are tried unseen; after that, and after as many more, all that are taken are read. */
const guessesMax = 4;

/** They only read and write the book: two of the settler's batches, so that one is decided while one is written. */
export const nagsAtOnce = 1_000;

/** Says things until they are done: what is said is a notification, whose end leads to the next. */
export function nagger(options: NaggerOptions): Controller<NagKind, NagSeen> {
  const { ledger, profile, profileNow = profile } = options;
  const look = async (record: Claimed<NagKind>): Promise<Omit<NagSeen, "held" | "taken">> => {
    const { owner, by } = record;
    const { page, said, isEarly } = nagNeeds(record);
    const { zone, quiet } = await (isEarly ? profileNow : profile)(owner);
    const book = ledger.of(owner, by);
    const heard = said === undefined ? undefined : await book.get(said);
    const read = page === undefined ? undefined : await book.get(pageRecordId(owner, page));
    return {
      zone,
      quiet,
      ...(said === undefined ? {} : { said: is(notificationKind, heard) ? heard : null }),
      ...(page === undefined ? {} : { page: is(pageKind, read) ? read : null }),
    };
  };
  return {
    name: "nagger",
    kind: nagKind,
    act: async (record) => ({ ...(await look(record)), held: [], taken: new Set() }),
    decide: decideNag,
    async reread(record, seen, refused) {
      const { name } = refused.details;
      if (!hasCode(refused, "held") || typeof name !== "string") {
        return { ...seen, ...(await look(record)) };
      }
      const held = [...seen.held, name];
      if (held.length % guessesMax !== 0) return { ...seen, held };
      return { ...seen, held, taken: await minutesTaken(ledger, record) };
    },
  };
}

async function minutesTaken(
  ledger: Ledger,
  { owner, by, id }: Claimed<NagKind>,
): Promise<ReadonlySet<number>> {
  const minutes = new Set<number>();
  const query = { kind: nagKind, state: "active", live: true } as const;
  for await (const nag of recordsIn(ledger.of(owner, by), query)) {
    const { outcome } = nag;
    if (nag.id === id || outcome === null || outcome.nextAt === null) continue;
    if (isComputed(outcome)) minutes.add(minuteOf(outcome.nextAt));
  }
  return minutes;
}
