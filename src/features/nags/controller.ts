import { recordOf } from "../../kernel/book.ts";
import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Profile } from "../../kernel/profile.ts";
import { hasCode } from "../../platform/errors.ts";
import { notificationKind } from "../notifications/index.ts";
import { minuteOf } from "./free-minute.ts";
import { type ClaimedNag, type NagKind, nagKind } from "./kind.ts";
import { pageKind } from "./page.ts";
import { isComputed, type NagObservation } from "./plan.ts";
import { stepsOf } from "./steps.ts";
import { decideNag, nagNeeds } from "./verdict.ts";

interface NagControllerOptions {
  ledger: Ledger;
  /** May be cached. */
  profile(owner: string): Promise<Profile>;
  /** Never cached: reads a profile that changed a moment ago. */
  profileNow?(owner: string): Promise<Profile>;
}

/** After every so many refused minutes, all taken minutes are read. */
const guessesMax = 4;

/** Two batches of the commit batcher: one is decided while the other is written. A nag's attempt only uses the book. */
export const nagsAtOnce = 1_000;

/** Sends a nag as one notification after another; the end of each plans the next. */
export function nagController(options: NagControllerOptions): Controller<NagKind, NagObservation> {
  const { ledger, profile, profileNow = profile } = options;
  const observe = async (record: ClaimedNag) => {
    const { owner, by } = record;
    const needs = nagNeeds(record);
    const { zone, quiet } = await (needs.isEarly ? profileNow : profile)(owner);
    const book = ledger.of(owner, by);
    const notification = await recordOf(book, notificationKind, needs.notification);
    const page = await recordOf(book, pageKind, needs.page);
    return {
      zone,
      quiet,
      notification: needs.notification === undefined ? undefined : (notification ?? null),
      page: needs.page === undefined ? undefined : (page ?? null),
    };
  };
  return {
    name: "nagger",
    kind: nagKind,
    act: async (record) => ({ ...(await observe(record)), held: [], takenMinutes: new Set() }),
    decide: decideNag,
    async observeAgain(record, seen, refused) {
      const { name } = refused.details;
      if (!hasCode(refused, "held") || typeof name !== "string") {
        return { ...seen, ...(await observe(record)) };
      }
      const held = [...seen.held, name];
      if (held.length % guessesMax !== 0) return { ...seen, held };
      return { ...seen, held, takenMinutes: await minutesTaken(ledger, record) };
    },
    publish(events, written) {
      for (const step of stepsOf(written)) events.emit("alarm", step);
    },
  };
}

async function minutesTaken(
  ledger: Ledger,
  { owner, by, id }: ClaimedNag,
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
