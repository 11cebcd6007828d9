import * as z from "zod";
import type { Controller } from "../../kernel/controller.ts";
import { slots } from "../../kernel/holds.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { moment } from "../../kernel/schemas.ts";
import type { DraftOf } from "../../kernel/unit.ts";

/** How many runs of one name may start in each window of the clock, over all nodes and owners. */
export const rate = z.strictObject({
  name: z.string(),
  max: z.int().positive(),
  windowMs: z.int().positive(),
});
export type Rate = z.output<typeof rate>;

/** One of the starts that a window has. It holds its name until the window is over, also when its run ended before. */
export const permitKind = defineKind({
  name: "permit",
  body: z.strictObject({ rate, until: moment }),
  outcome: z.null(),
  states: { held: ["over"] },
});
export interface PermitKind extends KindOf<typeof permitKind> {}

/** The permit to start now. Refused as `held` when the window has no more. */
export function permitOf(rate: Rate, now: number): DraftOf<PermitKind> {
  const window = Math.floor(now / rate.windowMs);
  const until = (window + 1) * rate.windowMs;
  const holds = [slots(`${prefix}${rate.name}:${rate.windowMs}:${window}`, rate.max)];
  return { kind: "permit", body: { rate, until }, state: "held", wakeAt: until, holds };
}

// Held names are stored in books: it may not change.
const prefix = "rate:";

/** The end of the window whose name is held; undefined: the name is none of a rate. */
export function windowEnd(held: string): number | undefined {
  const [, windowMs, window] = /^rate:.*:(\d+):(\d+)#\d+$/.exec(held) ?? [];
  return window === undefined ? undefined : (Number(window) + 1) * Number(windowMs);
}

/** Ends permits when their window is over. */
export const permits: Controller<PermitKind, null> = {
  name: "permits",
  kind: permitKind,
  act: async () => null,
  decide: () => ({ ends: "over" }),
};
