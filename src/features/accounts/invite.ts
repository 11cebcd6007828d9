import * as z from "zod";
import type { OwnerLimit } from "../../kernel/holds.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { moment } from "../../kernel/schemas.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";

/**
 * Links the first sender of its code to the book of an owner. The code is shown once and not stored: its hash is the
 * record's id.
 */
export const inviteKind = defineKind({
  name: "invite",
  body: z.strictObject({
    /** The owner of the book. */
    owner: z.string(),
    /** The principal of the new person. Default: the channel and the sender. */
    principal: z.string().exactOptional(),
    expiresAt: moment,
  }),
  outcome: z.strictObject({
    /** The person who used it. */
    person: z.string(),
  }),
  states: { open: ["used"] },
});
export interface InviteKind extends KindOf<typeof inviteKind> {}

/** How long a code is valid. */
export const inviteMs: number = 15 * 60_000;
/** Sixty random bits: five of each byte. */
export const codeBytes = 12;

/** Without letters that look like others: i, l, o and u. */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";
const shape = new RegExp(`^[${letters}]{${codeBytes}}$`);

/** The text of a new code. */
export function codeFrom(bytes: Uint8Array): string {
  if (bytes.length !== codeBytes) throw new Error(`A code needs ${codeBytes} random bytes.`);
  return Array.from(bytes, (byte) => letters.charAt(byte & 31)).join("");
}

export function makeInvite(
  code: string,
  body: InviteKind["body"],
): DraftOf<InviteKind> & { id: string } {
  return { kind: "invite", id: inviteId(code), body, state: "open" };
}

/** The code in one spelling, or undefined if the text cannot be a code. */
export function readCode(typed: string): string | undefined {
  const code = typed.trim().toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return shape.test(code) ? code : undefined;
}

/** The id of an invite is a hash of its code. */
export function inviteId(code: string): string {
  return idFrom(`invite:${code}`);
}

export function isOpen({ state, body }: LedgerRecord<InviteKind>, now: number): boolean {
  return state === "open" && now < body.expiresAt;
}

export const inviteLimit: OwnerLimit = {
  kind: "invite",
  max: 10,
  plural: "open codes",
  advice: "use one, or wait: a code expires after 15 minutes",
};
