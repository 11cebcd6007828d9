import * as z from "zod";
import { defineKind, type Kind, type KindOf } from "../../kernel/kind.ts";
import { draft, type DraftOf } from "../../kernel/unit.ts";
import { moment } from "../../kernel/wire.ts";

const defined = defineKind({
  name: "nag",
  body: z.strictObject({
    text: z.string().min(1),
    curve: z.string(),
    target: z.string(),
    at: moment,
    zone: z.string().optional(),
  }),
  outcome: z.strictObject({ count: z.int(), sending: z.string().nullable() }),
  states: { active: ["paused", "done"], paused: ["active", "done"] },
  holds: ["minute:"],
  target: (body) => body.target,
});
export interface NagKind extends KindOf<typeof defined> {}
export const nag: Kind<NagKind> = defined;

/** Every nag is made here. What is absent may be given as undefined. */
export function makeNag(body: NagKind["body"]): DraftOf<NagKind> {
  return draft(nag, { body, state: "active", wakeAt: body.at });
}
