import * as z from "zod";
import { settings } from "../../kernel/settings.ts";

const minutes = z.array(z.int().positive()).min(1);

/** The section `curves:`: minutes between two notifications by name, as the program uses them. */
export const curves = settings(
  "nags",
  "curves",
  z
    .record(z.string(), z.strictObject({ minutes }))
    .transform((set) => new Map(Object.entries(set).map(([name, curve]) => [name, curve.minutes])))
    .transform((set) => set.set("gentle", set.get("gentle") ?? [60, 240])),
);
