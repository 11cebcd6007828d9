import { DaybookError } from "./base/errors.ts";
import type { Foresight } from "./cli/simulate.ts";
import type { Ground } from "./compose.ts";
import type { Config } from "./config/resolve.ts";
import { defaultsFrom, self } from "./desk.ts";
import { readProfile } from "./ledger/profiles.ts";
import { parseTime } from "./rules/times.ts";
import { simulate } from "./simulate.ts";
import { openLedger } from "./stores.ts";

/** What would happen in one's own book: read as it is, and left so. */
export async function foresee(
  config: Config,
  ground: Ground,
  asked: { from: string; to: string },
): Promise<Foresight> {
  if (config.store.kind === "memory") {
    const sentence = "A book in memory cannot be looked into from here: keep it in a file.";
    throw new DaybookError("unsupported", sentence);
  }
  const ledger = await openLedger(config.store, ground);
  try {
    const profile = await readProfile(
      ledger,
      self.owner,
      defaultsFrom(() => config),
    );
    const { zone, language } = profile;
    const now = ground.clock.wall();
    const from = parseTime(asked.from, { now, zone }).at;
    const to = parseTime(asked.to, { now, zone }).at;
    const { lines, isCut } = await simulate(ledger, self.owner, { from, to, profile });
    return { lines, isCut, reader: { zone, language, now } };
  } finally {
    await ledger.close();
  }
}
