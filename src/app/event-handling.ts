import { profileReader } from "../features/accounts/index.ts";
import { type EventHandling, workerEnd } from "../features/events/index.ts";
import type { Numbers } from "../features/notifications/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Profile } from "../kernel/profile.ts";
import { sleep } from "../platform/clock.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { runHooks } from "./run-hooks.ts";

interface Parts {
  ledger: Ledger;
  platform: Pick<PlatformPorts, "clock" | "random">;
  numbers: Numbers;
  readProfile(owner: string): Promise<Profile>;
  /** The installation's own owner. */
  home: string;
  /** As it is set now. */
  settings(): HandlingSettings;
}

export type HandlingSettings = Pick<EventHandling, "handlers" | "capacity">;

/** What is asked about events and their tasks, under these settings. */
export function eventHandlingFrom(parts: Parts): EventHandling {
  const { ledger, platform, home, settings, numbers } = parts;
  const { clock } = platform;
  const profile = profileReader(parts.readProfile, clock);
  return {
    home,
    get handlers() {
      return settings().handlers;
    },
    get capacity() {
      return settings().capacity;
    },
    ends: workerEnd({ ...platform, ledger, profile, hooks: runHooks({ ledger, numbers }) }),
    waiting: new Map(),
    pause: (ms) => sleep(clock, ms),
  };
}
