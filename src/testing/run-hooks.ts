import { type Condition, handlerRuns } from "../features/events/index.ts";
import type { Numbers } from "../features/notifications/index.ts";
import { scheduleRuns } from "../features/schedules/index.ts";
import type { RunHook } from "../features/tasks/index.ts";
import type { Ledger } from "../kernel/ledger.ts";

interface HookParts {
  ledger: Ledger;
  numbers?: Numbers;
  /** How this machine is; absent: it is always well. */
  health?(): Condition;
}

/** What the features add to the end of a run, in their order. */
export function runHooks(parts: HookParts): readonly RunHook[] {
  return [scheduleRuns(parts.ledger), handlerRuns(parts)];
}
