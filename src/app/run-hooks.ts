import type { Condition } from "../features/events/health.ts";
import { handlerRuns } from "../features/events/run-hook.ts";
import type { Numbers } from "../features/notifications/counter.ts";
import { scheduleRuns } from "../features/schedules/run-hook.ts";
import type { RunHook } from "../features/tasks/run-hook.ts";
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
