import { plainProfile, readProfile } from "../src/features/accounts/profile.ts";
import { nagController, nagsAtOnce } from "../src/features/nags/controller.ts";
import type { Events } from "../src/kernel/events.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { runController } from "../src/kernel/runtime.ts";
import { cached } from "../src/platform/cached.ts";
import { systemClock } from "../src/platform/clock.ts";
import { bus } from "../src/platform/event-bus.ts";
import { systemRandom } from "../src/platform/random.ts";

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
  const profile = cached(clock, 1_000, (owner: string) =>
    readProfile(ledger, owner, () => plainProfile),
  );
  const ports = { work: ledger.work, clock, random: systemRandom(), events };
  const options = { holder, concurrency: nagsAtOnce };
  const service = runController(nagController({ ledger, profile }), ports, options);
  await service.start();
  return () => service.stop();
}
