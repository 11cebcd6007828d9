import { DaybookError } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";

/** Where something is said: a channel and an address on it. */
export interface Target {
  readonly channel: string;
  readonly address: string;
}

const name = /^[a-z][a-z0-9-]{0,31}$/;
const shape = /^([^:]+):(\S{1,200})$/;

/** Whether a channel can be called so. */
export function isChannelName(text: string): boolean {
  return name.test(text);
}

/** Reads `channel:address`. */
export function parseTarget(text: string): Target {
  const [, channel = "", address = ""] = shape.exec(text) ?? [];
  if (!isChannelName(channel) || /\p{Cc}/u.test(address)) {
    throw new DaybookError(
      "invalid",
      `${quote(text)} is not a target: write it as channel:address.`,
    );
  }
  return { channel, address };
}
