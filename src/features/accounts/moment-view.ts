import * as z from "zod";
import type { Reader, Context } from "../../kernel/operation.ts";
import { readInput } from "../../platform/input-path.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inWords, echo, type Guess } from "../../time/times.ts";
import { checkZone } from "../../time/zone.ts";

/** The source of the zone. */
const zoneFrom = z.enum(["asked", "profile", "setting", "host"]);

export const dueView = z.object({
  utc: z.string(),
  local: z.string(),
  zone: z.string(),
  zone_from: zoneFrom,
  past: z.boolean(),
  text: z.string(),
});

/** What an answer says of a typed time that was incomplete. */
export const guessView = {
  assumed: z.string().optional().describe("what was assumed where the time was incomplete"),
  instead: z
    .string()
    .optional()
    .describe(
      'what to write for the other half of the day, such as "3 am" where 15:00 was assumed',
    ),
};

/** The zone, the language and the time for which moments are rendered, and what was assumed of a typed one. */
export interface MomentOptions extends Reader, Guess {
  readonly zoneFrom: z.infer<typeof zoneFrom>;
  /** A person typed the times of the request. */
  readonly isTyped?: boolean | undefined;
}

/** In the requested zone. Default: the zone of the owner's profile. */
export function momentOptions(context: Context, timezone?: string): MomentOptions {
  const { zone, zoneFrom, language } = context.profile;
  const common = { language, now: context.now(), isTyped: context.typed };
  if (timezone === undefined) return { zone, zoneFrom, ...common };
  const requested = readInput("timezone", () => checkZone(timezone));
  return { zone: requested, zoneFrom: "asked", ...common };
}

export function dueOf(at: number, options: MomentOptions): z.infer<typeof dueView> {
  const { utc, local, zone, past, text } = echo(at, options);
  return { utc, local, zone, zone_from: options.zoneFrom, past, text };
}

/** The due time of a record that may have ended: then its text has no distance, which would read as still ahead. */
export function dueUnlessEnded(
  at: number,
  endedAt: number | null,
  options: MomentOptions,
): z.infer<typeof dueView> {
  const due = dueOf(at, options);
  if (endedAt === null) return due;
  return { ...due, text: zonedTime(due.utc, options) };
}

/** A moment of an answer with its zone. */
export function zonedTime(at: string, reader: Pick<Reader, "zone" | "language">): string {
  return `${localTime(at, reader)} ${reader.zone}`;
}

/** A moment of an answer in the zone and language of its reader. */
export function localTime(
  at: string,
  { zone, language }: Pick<Reader, "zone" | "language">,
): string {
  return inWords(fromIso(at), zone, language);
}
