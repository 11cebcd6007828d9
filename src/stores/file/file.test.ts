import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ledgerConformance } from "../../app/testing-kit/conformance/conformance.ts";
import { fileLayouts as layouts } from "../../features/index.ts";
import { file } from "./file.ts";

ledgerConformance("the file store", async () => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  let now = 0;
  const ledger = await file({ folder, layouts, now: () => now });
  return {
    ledger,
    setNow: (ms) => (now = ms),
    async close() {
      await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
});
