import * as z from "zod";
import { parseTarget } from "../../kernel/target.ts";
import { slackAddress } from "../accounts/chat-address.ts";

/** A channel of Slack by its id, or any target. */
export const channel = z.string().refine((text) => {
  try {
    return text.includes(":") ? parseTarget(text).channel !== "" : slackAddress(text).channel;
  } catch {
    return false;
  }
});
