import * as z from "zod";
import { fields } from "../../notifications/index.ts";

/** What a request for a nag may have. */
export const nagInput = z.strictObject({
  message: z
    .string()
    .optional()
    .describe("the text to send until it is done. Give either this or `page`"),
  page: z
    .string()
    .optional()
    .describe("the id of the page to send until it is done; its text is read at each send"),
  at: z
    .string()
    .optional()
    .describe(
      'when to send it first, in English or Korean, such as "+30m", "the 25th" or "내일 오후 3시". Default: now',
    ),
  curve: z
    .string()
    .optional()
    .describe(
      "how far apart it is sent: otu (1, 2, 4 … 256 days), minutes, hourly, daily, weekdays, or a curve of the settings. Default: otu",
    ),
  timezone: z
    .string()
    .optional()
    .describe('the time zone to send it in, such as "Asia/Seoul". Default: the owner\'s'),
  target: z
    .string()
    .optional()
    .describe(
      "where to send it, as channel:address. Default: the chat of the request, or else the owner's home",
    ),
  priority: fields.priority,
  key: fields.key,
});
export type NagInput = z.output<typeof nagInput>;
