import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";

/** A process that runs controllers. */
export const nodeKind = defineKind({
  name: "node",
  body: z.strictObject({
    name: z.string(),
    version: z.string(),
    host: z.string(),
    pid: z.int(),
    /** By this another process of the machine sees that it is gone. */
    process: z.strictObject({ space: z.string(), startedAt: z.string() }).exactOptional(),
  }),
  outcome: z.strictObject({ reason: z.string() }),
  states: { running: ["stopped", "lost"] },
});
export interface NodeKind extends KindOf<typeof nodeKind> {}

/** The owner of the system's own records. */
export const systemOwner = "daybook";

/** A node that was silent for this long is lost. */
export const silenceMs = 30_000;
