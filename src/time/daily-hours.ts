import * as z from "zod";

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Hours of every day, `HH:MM` each. If they end before they begin, they go over midnight. */
export const dailyHours = z.strictObject({ from: timeOfDay, to: timeOfDay });
