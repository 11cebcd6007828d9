import * as z from "zod";
import { partOf } from "../../../platform/text.ts";
import type { NotificationView } from "./view.ts";

/** Inputs of what can show a notification's long texts, its message and its context, in parts. */
export const partInputs = {
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe("from which character on its message and context are shown"),
  chars: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe("how many characters of each are shown at most"),
};

export const partViews = {
  next_offset: z.number().nullable().describe("the `offset` of what follows; null at the end"),
  remaining: z.number().describe("how many characters of its longest text follow"),
};

interface Input {
  readonly offset?: number | undefined;
  readonly chars?: number | undefined;
}

export interface Part {
  readonly next_offset: number | null;
  readonly remaining: number;
}

/** The part of a notification's long texts that was asked for: all, unless told. */
export function partly<View extends NotificationView>(
  view: View,
  { offset = 0, chars = Infinity }: Input,
): { view: View; part: Part } {
  const message = partOf(view.message, offset, chars);
  const context = view.context === null ? undefined : partOf(view.context, offset, chars);
  const remaining = Math.max(message.remaining, context?.remaining ?? 0);
  return {
    view: { ...view, message: message.part, context: context?.part ?? null },
    part: { next_offset: remaining === 0 ? null : offset + chars, remaining },
  };
}
