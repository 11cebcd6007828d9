import { describe } from "node:test";
import { absentHolds } from "./absent.ts";
import { appendHolds } from "./append.ts";
import { cancelHolds } from "./cancel.ts";
import { claimHolds } from "./claim.ts";
import { editHolds } from "./edit.ts";
import { holdsOver, type Open } from "./fixture.ts";
import { forgettingHolds } from "./forgetting.ts";
import { idsHold } from "./ids.ts";
import { inputHolds } from "./input.ts";
import { keepHolds } from "./keep.ts";
import { namesHold } from "./names.ts";
import { outputHolds } from "./output.ts";
import { queueHolds } from "./queue.ts";
import { readingHolds } from "./reading.ts";
import { restingHolds } from "./resting.ts";
import { settleHolds } from "./settle.ts";
import { unitsHold } from "./units.ts";
import { wakingHolds } from "./waking.ts";

/** Holds every line of docs/ledger.md over a store. Each case opens a store of its own. */
export function ledgerConformance(name: string, open: Open): void {
  const parts = {
    input: inputHolds,
    absent: absentHolds,
    append: appendHolds,
    ids: idsHold,
    holds: namesHold,
    claim: claimHolds,
    keep: keepHolds,
    settle: settleHolds,
    rest: restingHolds,
    units: unitsHold,
    edit: editHolds,
    cancel: cancelHolds,
    "wake and move": wakingHolds,
    "list and changes": readingHolds,
    "in queue": queueHolds,
    "write and read": outputHolds,
    "prune, stats and hints": forgettingHolds,
  };
  describe(`the ledger contract on ${name}`, () => {
    for (const [part, register] of Object.entries(parts)) {
      describe(part, () => register(holdsOver(open)));
    }
  });
}
