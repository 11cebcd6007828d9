import * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";

/** Where a message is sent: a channel and an address on it. */
export interface Target {
  readonly channel: string;
  readonly address: string;
}

const name = /^[a-z][a-z0-9-]{0,31}$/;
const shape = /^([a-z][a-z0-9-]{0,31}):([^\s\p{Cc}]{1,200})$/u;

/** A stored target: `channel:address`. */
export const target = z.string().regex(shape);

/** Whether the text can be the name of a channel. */
export function isChannelName(text: string): boolean {
  return name.test(text);
}

/** Reads `channel:address`. */
export function parseTarget(text: string): Target {
  const [, channel, address] = shape.exec(text) ?? [];
  if (channel === undefined || address === undefined) {
    throw new DaybookError(
      "invalid",
      `${quote(text)} is not a target: write it as channel:address, such as "telegram:12345".`,
    );
  }
  return { channel, address };
}
