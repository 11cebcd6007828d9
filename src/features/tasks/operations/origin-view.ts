import * as z from "zod";
import { parseTarget } from "../../../kernel/target.ts";

/** Where it was made: what its runs say goes there, unless a target was named. */
export const originView = {
  channel_id: z.string().nullable(),
  channel_context_id: z.string().nullable(),
};
type OriginView = { [Name in keyof typeof originView]: string | null };

export function shownOrigin(origin: string | null): OriginView {
  if (origin === null) return { channel_id: null, channel_context_id: null };
  const { channel, address } = parseTarget(origin);
  return { channel_id: channel, channel_context_id: address };
}
