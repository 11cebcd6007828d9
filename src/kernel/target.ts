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

/** `channel:address`, as it is kept. */
export const target = z.string().regex(shape);

/** Whether a channel can be called so. */
export function isChannelName(text: string): boolean {
  return name.test(text);
}

/** Reads `channel:address`. */
export function parseTarget(text: string): Target {
  const [, channel, address] = shape.exec(text) ?? [];
  if (channel === undefined || address === undefined) {
    throw new DaybookError(
      "invalid",
      `${quote(text)} is not a target: write it as channel:address.`,
    );
  }
  return { channel, address };
}
