import { ledgerConformance } from "../../app/testing-kit/conformance/conformance.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memory } from "./memory.ts";

ledgerConformance("memory", () => {
  let now = 0;
  const ledger = memory({ now: () => now, ids: ids({ wall: () => now }, seededRandom(1)) });
  return Promise.resolve({
    ledger,
    setNow(ms) {
      now = ms;
    },
    close: () => ledger.close(),
  });
});
