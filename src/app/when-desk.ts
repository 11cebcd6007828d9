import { profileReader } from "../features/accounts/profile-reader.ts";
import { handledTasks } from "../features/events/operations/handled-tasks.ts";
import type { WhenDesk } from "../features/events/operations/ports.ts";
import { workerEnd } from "../features/events/worker-end.ts";
import { numbers } from "../features/notifications/day-numbers.ts";
import type { Desk } from "../kernel/ask.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { sleep } from "../platform/clock.ts";
import type { Ground } from "./compose.ts";
import { runHooks } from "./run-hooks.ts";

interface WhenParts {
  ledger: Ledger;
  ground: Pick<Ground, "clock" | "random">;
  defaults: Desk["defaults"];
  /** The installation's own owner. */
  home: string;
  /** As it is set now. */
  settings(): Pick<WhenDesk, "handlers" | "places">;
}

/** What is asked about events and their tasks, under these settings. */
export function whenDesk({ ledger, ground, defaults, home, settings }: WhenParts): WhenDesk {
  const { clock } = ground;
  const numbered = numbers(ledger);
  const profile = profileReader(ledger, defaults, clock);
  return {
    home,
    get handlers() {
      return settings().handlers;
    },
    get places() {
      return settings().places;
    },
    tasks: handledTasks,
    label: numbered.label,
    ends: workerEnd({ ...ground, ledger, profile, hooks: runHooks({ ledger, numbers: numbered }) }),
    waiting: new Map(),
    rest: (ms) => sleep(clock, ms),
  };
}
