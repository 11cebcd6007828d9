import { systemClock } from "../src/base/clock.ts";
import { bus } from "../src/base/events.ts";
import { systemRandom } from "../src/base/random.ts";
import { nagger, nagsAtOnce } from "../src/controllers/nagger.ts";
import { runController } from "../src/controllers/runtime.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import { plainProfile, profileReader } from "../src/ledger/profiles.ts";
import type { Events } from "../src/rules/events.ts";

/** What a node has for nags, and nothing else of it: nothing is sent. Stops when told. */
export async function startNagger(
  ledger: Ledger,
  holder: string,
  settled: () => void,
): Promise<() => Promise<void>> {
  const clock = systemClock();
  const events = bus<Events>();
  events.listen((event, facts) => {
    if (event === "record settled") settled();
    if (event === "act failed" || event === "settle failed") console.error(event, facts);
  });
  const profile = profileReader(ledger, () => plainProfile, clock);
  const ports = { work: ledger.work, clock, random: systemRandom(), events };
  const options = { holder, concurrency: nagsAtOnce };
  const service = runController(nagger({ ledger, profile }), ports, options);
  await service.start();
  return () => service.stop();
}
