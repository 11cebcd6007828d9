import * as z from "zod";
import { settings } from "../../kernel/settings.ts";
import { runSpec } from "../tasks/index.ts";

/** The section `handlers:`. Without `run`, workers outside claim its tasks. */
export const handlers = settings(
  "events",
  "handlers",
  z
    .record(
      z.string(),
      z.strictObject({
        on: z.string(),
        run: runSpec.optional(),
        lease_minutes: z.int().default(30),
      }),
    )
    .transform((set) =>
      Object.entries(set).map(([name, { on, run, lease_minutes: minutes }]) => ({
        name,
        on,
        run,
        leaseMs: minutes * 60_000,
      })),
    ),
);
