import type { Ledger } from "../../kernel/ledger.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { intBelow } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { Scale } from "./scale.ts";

/** Follows one owner's feed by cursor through lost answers, as a projection would. */
export async function readFeed(options: {
  owner: string;
  ledger: Ledger;
  clock: Clock;
  random: Random;
  oracle: Oracle;
  scale: Scale;
  busy(): boolean;
}): Promise<void> {
  const { owner, clock, random, oracle, scale } = options;
  const book = options.ledger.of(owner, "feed");
  let cursor: string | undefined;
  for (let more = true; more;) {
    const last = !options.busy();
    const limit = 1 + intBelow(random, scale.feedRows);
    const query = cursor === undefined ? { limit } : { after: cursor, limit };
    const page = await book.changes(query).catch(() => undefined);
    if (page !== undefined) {
      cursor = page.cursor;
      oracle.feedRead(owner, page.changes);
    }
    more = !last || page === undefined || page.changes.length > 0;
    if (!last) await sleep(clock, 2_000 + intBelow(random, scale.feedMs));
  }
}
