import * as z from "zod";
import type { Reader, Context } from "../../kernel/operation.ts";
import { readInput } from "../../platform/input-path.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inWords, echo } from "../../time/times.ts";
import { checkZone } from "../../time/zone.ts";

/** Whose word the zone is. */
const zoneFrom = z.enum(["asked", "profile", "setting", "host"]);

export const dueView = z.object({
  utc: z.string(),
  local: z.string(),
  zone: z.string(),
  zone_from: zoneFrom,
  past: z.boolean(),
  text: z.string(),
});

/** How moments are shown to whoever asks. */
export interface MomentOptions extends Reader {
  readonly zoneFrom: z.infer<typeof zoneFrom>;
  /** What was not said and therefore taken. */
  readonly assumed?: string | undefined;
}

/** The zone that was asked for; else the owner's own, or the installation's. */
export function momentOptions(context: Context, timezone?: string): MomentOptions {
  const { zone, zoneFrom, language } = context.profile;
  const now = context.now();
  if (timezone === undefined) return { zone, zoneFrom, language, now };
  const request = readInput("timezone", () => checkZone(timezone));
  return { zone: request, zoneFrom: "asked", language, now };
}

export function dueOf(at: number, look: MomentOptions): z.infer<typeof dueView> {
  const { utc, local, zone, past, text } = echo(at, { assumed: undefined, ...look });
  return { utc, local, zone, zone_from: look.zoneFrom, past, text };
}

/** A moment of an answer, as its reader says it. */
export function localTime(
  at: string,
  { zone, language }: Pick<Reader, "zone" | "language">,
): string {
  return inWords(fromIso(at), zone, language);
}
