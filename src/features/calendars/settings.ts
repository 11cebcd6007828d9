import * as z from "zod";
import { about } from "../../platform/settings/about.ts";

const entry = z.strictObject({
  allow: z
    .array(z.string().regex(/^[^\s/@,]+$/))
    .default([])
    .register(about, {
      summary:
        "Hosts of calendars that may be connected to although they are private or use plain http. Default: none.",
      write: "a list of hosts like [calendar.example.org, 127.0.0.1:5232]",
      env: "DAYBOOK_CALENDAR_ALLOW",
    }),
  pollSeconds: z.number().min(5).max(86_400).default(60).register(about, {
    summary: "How often each calendar is asked for changes, in seconds. Default: 60.",
    write: "a number from 5 to 86400",
  }),
});

/** The settings of calendars. */
export const calendarsEntry = entry.transform(({ allow, pollSeconds }) => ({
  allow,
  pollMs: Math.round(pollSeconds * 1_000),
}));
