import { sleep } from "../base/clock.ts";
import { numbers } from "../controllers/numbers.ts";
import { workerEnd } from "../controllers/worker-end.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { profileReader } from "../ledger/profiles.ts";
import type { Desk } from "../operations/ask.ts";
import type { WhenDesk } from "../operations/when/desk.ts";
import type { Ground } from "./compose.ts";

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
    label: numbered.label,
    ends: workerEnd({ ...ground, ledger, profile, numbers: numbered }),
    waiting: new Map(),
    rest: (ms) => sleep(clock, ms),
  };
}
