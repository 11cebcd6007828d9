import * as z from "zod";
import { defineKind, type Kind, type KindOf } from "../../kernel/kind.ts";
import { draft, type DraftOf } from "../../kernel/unit.ts";
import { json } from "../../platform/json.ts";

const defined = defineKind({
  name: "event",
  body: z.strictObject({ type: z.string(), payload: z.record(z.string(), json) }),
  outcome: z.strictObject({ handler: z.string().nullable(), reason: z.string().nullable() }),
  states: {
    pending: ["dispatched", "completed", "failed"],
    dispatched: ["pending", "completed", "failed"],
  },
});
export interface EventKind extends KindOf<typeof defined> {}
export const event: Kind<EventKind> = defined;

export function makeEvent(body: EventKind["body"], id?: string): DraftOf<EventKind> {
  return draft(event, { id, body, state: "pending", wakeAt: 0 });
}
