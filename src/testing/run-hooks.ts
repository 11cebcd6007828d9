import { type Condition, handlerRuns } from "../features/events/index.ts";
import type { Numbers } from "../features/notifications/index.ts";
import { scheduleRuns } from "../features/schedules/index.ts";
import type { RunHook } from "../features/tasks/index.ts";
import type { Ledger } from "../kernel/ledger.ts";

interface HookParts {
  ledger: Ledger;
  numbers?: Numbers;
  /** The load of this machine. Default: always low. */
  health?(): Condition;
}

/** The run hooks of all features, in their order. */
export function runHooks(parts: HookParts): readonly RunHook[] {
  return [scheduleRuns(parts.ledger), handlerRuns(parts)];
}
