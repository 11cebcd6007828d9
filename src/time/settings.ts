import * as z from "zod";
import { isZone } from "./zone.ts";

export const zone = z.string().refine(isZone);
export const zoneForm = 'a time zone like "Asia/Seoul"';

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Hours of every day as `HH:MM`. If the end is before the start, they include midnight. */
export const dailyHours = z.strictObject({ from: timeOfDay, to: timeOfDay });
