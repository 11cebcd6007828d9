import * as z from "zod";
import { zone } from "../../time/settings.ts";

/** A secret as it is stored: the name of a variable, or the text sealed with the key of the home. */
const storedSecret = z.union([
  z.strictObject({ env: z.string() }),
  z.strictObject({ sealed: z.string() }),
]);
export type StoredSecret = z.output<typeof storedSecret>;

/** Where a calendar is, and what opens it. A service resolves this once, when the calendar is connected. */
export const account = z.discriminatedUnion("type", [
  /** Only read, under an address of ours with a secret part; its hash is kept. */
  z.strictObject({ type: z.literal("ics"), secretHash: z.string() }),
  z.strictObject({
    type: z.literal("caldav"),
    /** As it was given. */
    url: z.string(),
    /** The collection that was found or chosen. */
    collection: z.string(),
    username: z.string(),
    password: storedSecret,
  }),
  z.strictObject({
    type: z.literal("google"),
    calendarId: z.string(),
    clientId: z.string(),
    clientSecret: storedSecret.exactOptional(),
    refreshToken: storedSecret,
  }),
]);
export type Account = z.output<typeof account>;
export type AccountOf<Type extends Account["type"]> = Extract<Account, { type: Type }>;
export type CalendarType = Account["type"];

/** How entries are made for a calendar. */
export const entryOptions = z.strictObject({
  zone: zone.exactOptional(),
  minutes: z.int().min(1).max(1_440),
});
