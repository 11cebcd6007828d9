import { describe } from "node:test";
import { appendCases } from "./append.ts";
import { cancelCases } from "./cancel.ts";
import { claimCases } from "./claim.ts";
import { consequenceCases } from "./consequences.ts";
import { editCases } from "./edit.ts";
import { type OpenStore, testOver } from "./fixture.ts";
import { hintCases } from "./hints.ts";
import { holdCases } from "./holds.ts";
import { idCases } from "./ids.ts";
import { inputCases } from "./input.ts";
import { keepCases } from "./keep.ts";
import { keyCases } from "./keys.ts";
import { leaseCases } from "./lease.ts";
import { optionalFieldCases } from "./optional-fields.ts";
import { outputCases } from "./output.ts";
import { pruneCases } from "./prune.ts";
import { queueCases } from "./queue.ts";
import { readCases } from "./reads.ts";
import { settleCases } from "./settle.ts";
import { unitCases } from "./units.ts";
import { unstartedCases } from "./unstarted.ts";
import { wakeAndMoveCases } from "./wake-and-move.ts";

/**
 * Tests a store against docs/ledger.md, with node:test. `open` is called for each case and answers an empty store whose
 * clock the suite sets. Every case has a name that is one sentence of the contract.
 */
export function ledgerConformance(name: string, open: OpenStore): void {
  const parts = {
    input: inputCases,
    "optional fields": optionalFieldCases,
    append: appendCases,
    keys: keyCases,
    ids: idCases,
    holds: holdCases,
    claim: claimCases,
    leases: leaseCases,
    keep: keepCases,
    settle: settleCases,
    unstarted: unstartedCases,
    units: unitCases,
    consequences: consequenceCases,
    edit: editCases,
    cancel: cancelCases,
    "wake and move": wakeAndMoveCases,
    "get, list and changes": readCases,
    "in queue": queueCases,
    "write and read": outputCases,
    "prune and stats": pruneCases,
    "hints and close": hintCases,
  };
  describe(`the ledger contract on ${name}`, () => {
    for (const [part, register] of Object.entries(parts)) {
      describe(part, () => register(testOver(open)));
    }
  });
}
