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
import { nameInput, ownerInput } from "../token.ts";
import { ownerOf, systemBook } from "./tokens.ts";

export const link = operation({
  name: "invite_person",
  summary: "Create a code that links a person in a chat to a book.",
  input: z.strictObject({
    owner: ownerInput,
    principal: nameInput
      .optional()
      .describe("the person's name in histories. Default: the channel and the id, as telegram:7"),
  }),
  output: z.object({
    code: z.string().describe("the code, for one person; shown only now"),
    say: z.string().describe("the message to send to the bot"),
    owner: z.string(),
    expires_at: z.string(),
  }),
  scope: "admin",
  effect: "adds",
  example: { owner: "me" },
  route: { method: "POST", path: "/v1/people/invite" },
  command: { name: "person invite", aliases: ["link"], positionals: [] },
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
    textsOf(language).linkCode({ message: say, owner, minutes: inviteMs / 60_000 }),
});

/** Expired codes keep their slots until a new code needs one. */
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
    await cancelExpired(book, now);
    return appendLimited(book, request);
  }
}

async function cancelExpired(book: Book, now: number): Promise<void> {
  for await (const invite of recordsIn(book, { kind: inviteKind, live: true })) {
    if (isOpen(invite, now)) continue;
    await book.cancel({ id: invite.id, reason: "it expired" });
  }
}

/** Limits the wrong codes of a sender: `burst` at once, then one every `everyMs`. */
export interface WrongCodeLimit {
  /** Counts a wrong code; throws if it exceeds the limit. */
  count(sender: string): void;
}

const burst = 10;
const everyMs = 6_000;
const sendersMax = 10_000;

export function wrongCodeLimit(mono: () => number): WrongCodeLimit {
  /** When the count of a sender is back at zero. */
  const freeAt = new Map<string, number>();
  return {
    count(sender) {
      const from = Math.max(freeAt.get(sender) ?? 0, mono());
      if (from - mono() > (burst - 1) * everyMs) {
        throw new DaybookError("busy", "Too many wrong codes: wait a minute.");
      }
      freeAt.delete(sender); // moves it to the end: the oldest is dropped first
      freeAt.set(sender, from + everyMs);
      const [oldest] = freeAt.keys();
      if (freeAt.size > sendersMax && oldest !== undefined) freeAt.delete(oldest);
    },
  };
}
