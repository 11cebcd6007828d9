import * as z from "zod";
import type { OwnerLimit } from "../../kernel/holds.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { moment } from "../../kernel/schemas.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";

/**
 * The right to become a person of an owner's book, for the first one who gives its code. The code is shown once and
 * stored nowhere: its hash is the record's id.
 */
export const inviteKind = defineKind({
  name: "invite",
  body: z.strictObject({
    /** Whose book. */
    owner: z.string(),
    /** The principal of the new person; absent: their name in the chat. */
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

/** How long a code is good for. */
export const inviteMs: number = 15 * 60_000;
/** Sixty bits: five of each byte. */
export const codeBytes = 12;

/** None of them is taken for another. */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";
const shape = new RegExp(`^[${letters}]{${codeBytes}}$`);

/** A code as it is shown once. */
export function codeFrom(bytes: Uint8Array): string {
  if (bytes.length !== codeBytes) throw new Error(`A code has ${codeBytes} random bytes.`);
  return Array.from(bytes, (byte) => letters.charAt(byte & 31)).join("");
}

export function makeInvite(
  code: string,
  body: InviteKind["body"],
): DraftOf<InviteKind> & { id: string } {
  return { kind: "invite", id: inviteId(code), body, state: "open" };
}

/** Nothing when it cannot be a code. However it was typed, it is the same. */
export function readCode(typed: string): string | undefined {
  const code = typed.trim().toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return shape.test(code) ? code : undefined;
}

/** An invite's record is found by the hash of its code. */
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
  advice: "use one, or wait until they are over, which takes 15 minutes",
};
