import * as z from "zod";
import { appendLimited } from "../../../kernel/holds.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import {
  codeBytes,
  codeFrom,
  inviteMs,
  isOpen,
  makeInvite,
  type InviteKind,
  inviteKind,
  inviteLimit,
} from "../invite.ts";
import { textsOf } from "../texts.ts";
import { ownerOf, systemBook } from "./tokens.ts";

export const link = operation({
  name: "link_person",
  summary: "Make a code that lets somebody ask from a chat.",
  input: z.strictObject({
    owner: z.string().trim().min(1).max(200).optional().describe("whose book; yours when absent"),
    principal: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe("who acts, as the history says; who they are in the chat when absent"),
  }),
  output: z.object({
    code: z.string().describe("for whoever says it first; shown only now"),
    say: z.string().describe("what they say to the bot"),
    owner: z.string(),
    expires_at: z.string(),
  }),
  scope: "admin",
  effect: "adds",
  example: { owner: "me" },
  route: { method: "POST", path: "/v1/people/invite" },
  command: { name: "link", positionals: [] },
  tool: "never",
  async run({ owner: named, principal }, context) {
    const owner = ownerOf(named ?? context.owner);
    const code = codeFrom(context.randomBytes(codeBytes));
    const now = context.now();
    const draft = makeInvite(code, present({ owner, principal, expiresAt: now + inviteMs }));
    const { record } = await invite(systemBook(context), draft, now);
    return { code, say: `/start ${code}`, owner, expires_at: isoOf(record.body.expiresAt) };
  },
  render: ({ say, owner }, { language }) =>
    textsOf(language).linkCode({ say, owner, minutes: inviteMs / 60_000 }),
});

/** Codes that nobody used keep their places until somebody needs one. */
async function invite(
  book: Book,
  draft: DraftOf<InviteKind>,
  now: number,
): Promise<{ record: LedgerRecord<InviteKind> }> {
  const { owner } = draft.body;
  const request = { draft, limit: inviteLimit, owner, key: undefined, storedKey: { name: "" } };
  try {
    return await appendLimited(book, request);
  } catch (error) {
    if (!hasCode(error, "held")) throw error;
    await cancelOver(book, now);
    return appendLimited(book, request);
  }
}

async function cancelOver(book: Book, now: number): Promise<void> {
  for await (const invite of recordsIn(book, { kind: inviteKind, live: true })) {
    if (isOpen(invite, now)) continue;
    await book.cancel({ id: invite.id, reason: "its time was over" });
  }
}

/** How often somebody may say a wrong code: so many at once, and then one every `everyMs`. */
export interface WrongCodes {
  /** Counts one; throws when it was one too many. */
  count(sender: string): void;
}

const most = 10;
const everyMs = 6_000;
const sendersMax = 10_000;

export function wrongCodes(mono: () => number): WrongCodes {
  /** When the sender is back at no wrong code. */
  const freeAt = new Map<string, number>();
  return {
    count(sender) {
      const from = Math.max(freeAt.get(sender) ?? 0, mono());
      if (from - mono() > (most - 1) * everyMs) {
        throw new DaybookError("busy", "Too many wrong codes: wait a minute.");
      }
      freeAt.delete(sender); // to stand last: the oldest is forgotten first
      freeAt.set(sender, from + everyMs);
      const [oldest] = freeAt.keys();
      if (freeAt.size > sendersMax && oldest !== undefined) freeAt.delete(oldest);
    },
  };
}
