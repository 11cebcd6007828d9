import type { Ledger } from "../../kernel/ledger.ts";
import type { Numbers } from "../notifications/counter.ts";
import { runHook, type RunHook } from "../tasks/run-hook.ts";
import { waitsAfterLapse } from "./cut-off.ts";
import { well, type Condition } from "./health.ts";
import { overloadFor } from "./load.ts";
import {
  endingEvent,
  finishHandled,
  interpretResult,
  isOfHandler,
  type HandlerFacts,
} from "./task-end.ts";
import { handlerFacts } from "./task-facts.ts";

interface HandlerRunsOptions {
  ledger: Ledger;
  /** What gives messages their names; absent: the store. */
  numbers?: Numbers;
  /** How this machine is; absent: it is always well. */
  health?(): Condition;
}

/** Reads the result of a handler's task, ends its event with it, says and asks what it says, and sheds load. */
export function handlerRuns(options: HandlerRunsOptions): RunHook {
  const read = handlerFacts(options);
  return runHook<HandlerFacts>({
    applies: isOfHandler,
    before: waitsAfterLapse,
    postpones: (task) => overloadFor(task, options.health?.() ?? well),
    interpret: interpretResult,
    read: (task, attempt, { zone }) => read(task, attempt, zone),
    finish: finishHandled,
    waits: endingEvent,
    // Somebody else gave that name to something: what is said gets the next one.
    refused: ({ code, details }, { messageIds }) =>
      code === "conflict" && messageIds.includes(String(details["id"])),
  });
}
