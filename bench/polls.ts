import { progress, type Sizes } from "./measure.ts";
import { bound, type Figure } from "./report.ts";
import type { Stand } from "./stand.ts";
import { dayMs, drain, emptyPoll } from "./work.ts";

const msMax = 2;

/**
 * A look that finds nothing must cost nothing, whatever lies in the way. `many` has the future records;
 * each of the crowds is added to the same queue, and stays.
 */
export async function polls(few: Stand, many: Stand, sizes: Sizes): Promise<readonly Figure[]> {
  const { crowd, future } = sizes;
  const poll = async (what: string, stand: Stand): Promise<Figure> => {
    progress(`empty poll, ${what}`);
    return bound(`empty poll, ${what}`, await emptyPoll(stand.ledger), msMax);
  };
  const figures = [await poll("nothing there", few), await poll(`${future} in the future`, many)];
  await many.add({ rows: crowd, wakeAt: Date.now() + dayMs, holder: "dead" });
  figures.push(await poll(`${crowd} leased by a dead node`, many));
  await parkCrowd(many, crowd);
  figures.push(await poll(`${crowd} in a parked lane`, many));
  const letGo = await many.oldSnapshot();
  await many.add({ rows: sizes.drain, wakeAt: Date.now() - 60_000 });
  await drain(many.ledger, "notification");
  figures.push(await poll(`${sizes.drain} drained beside an old snapshot`, many));
  await letGo();
  return figures;
}

/** As a node does with a destination that is down. */
async function parkCrowd({ add, ledger }: Stand, rows: number): Promise<void> {
  const lane = "telegram:1";
  await add({ rows, wakeAt: Date.now() - 60_000, lane });
  const slice = { queue: "notification", lane, to: Date.now() + dayMs, limit: 5_000 };
  let moved = 0;
  for (let left = rows; left > 0; left -= moved) {
    moved = await ledger.work.move(slice);
    if (moved === 0) throw new Error("Some could not be parked.");
  }
}
