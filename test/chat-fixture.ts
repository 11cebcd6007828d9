import assert from "node:assert/strict";
import type { ChatHandler, ChatInput } from "../src/adapters/chats/chat.ts";
import { errorsIn } from "../src/app/error-texts.ts";
import type { ChatPeople } from "../src/features/accounts/operations/people.ts";
import { features } from "../src/features/index.ts";
import { type NotificationKind, notificationKind } from "../src/features/notifications/kind.ts";
import { chatCommands, chatParts } from "../src/interfaces/chat/commands.ts";
import { chatHandler } from "../src/interfaces/chat/handler.ts";
import { people } from "../src/interfaces/chat/people.ts";
import type { ChatAnswer, ChatCommand } from "../src/kernel/chat.ts";
import type { AnyRecord, LedgerRecord } from "../src/kernel/record.ts";
import { log, type Log } from "../src/platform/log.ts";
import { bookFixture, type BookFixture } from "./book-fixture.ts";

const parts = await chatParts(features);
export const commands: readonly ChatCommand[] = chatCommands(parts);

/** A book in memory, and people who speak in chats: 7 on Telegram is Mina, 8 is Jun. */
export interface ChatFixture extends BookFixture {
  readonly hear: ChatHandler;
  readonly log: Log;
  readonly lines: string[];
  /** Says it as Mina, in the chat 7 unless told. */
  say(said: string, more?: Saying): Promise<ChatAnswer>;
  /** The text of the answer. */
  text(said: string, more?: Saying): Promise<string>;
  press(pressed: string, more?: Saying & { readonly message?: number }): Promise<ChatAnswer>;
  live(owner?: string): Promise<readonly LedgerRecord<NotificationKind>[]>;
  get(id: string): Promise<AnyRecord>;
  /** The newest live notification was said as this message of the place. */
  delivered(message: number, place?: string): Promise<string>;
}

type Saying = Partial<Omit<ChatInput, "what">> & {
  readonly from?: string;
  readonly replyTo?: string | number;
  readonly inThread?: boolean;
  readonly overheard?: boolean;
};

const telegramSenders = [
  { id: "7", owner: "mina" },
  { id: "8", owner: "jun" },
];

export function chatFixture(change: Partial<BookFixture["mina"]> = {}): ChatFixture {
  const at = bookFixture();
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const noted = log({ write, clock: at.clock, level: "debug", format: "json", color: false });
  const mina = { ...at.mina, ...change };
  const senders: ChatPeople["senders"] = (channel) =>
    channel === "telegram" ? telegramSenders : [];
  const known = people({ ...mina, senders }, at.clock);
  const hear = chatHandler({
    installation: mina,
    parts,
    commands,
    people: known,
    log: noted,
    errorsIn,
  });
  let count = 0;
  const heardOf = (what: ChatInput["content"], more: Saying): ChatInput => {
    count += 1;
    const { from = "7", replyTo: _, inThread: __, overheard: ___, ...rest } = more;
    const sender = { id: from, name: `somebody ${from}` };
    return { channel: "telegram", id: `u${count}`, sender, address: "7", content: what, ...rest };
  };
  const say = (said: string, more: Saying = {}): Promise<ChatAnswer> => {
    const { replyTo, inThread = false, overheard = false } = more;
    const reply = replyTo === undefined ? {} : { replyTo };
    return hear(heardOf({ text: said, ...reply, inThread, overheard }, more));
  };
  const live = async (owner = "mina"): Promise<readonly LedgerRecord<NotificationKind>[]> => {
    const book = mina.ledger.of(owner, "test");
    const { records } = await book.list({ kind: notificationKind, live: true, order: "newest" });
    return records.filter(({ body }) => body.type !== "mark");
  };
  return {
    ...at,
    mina,
    hear,
    log: noted,
    lines,
    say,
    text: async (said, more) => (await say(said, more)).text ?? assert.fail("no answer"),
    press: (pressed, { message = 1, ...more } = {}) => hear(heardOf({ pressed, message }, more)),
    live,
    get: async (id) =>
      (await mina.ledger.of("mina", "test").get(id)) ?? assert.fail(`there is no ${id}`),
    async delivered(message, place = "7") {
      at.clock.advance(40 * 86_400_000);
      const request = { kind: notificationKind, holder: "n", leaseMs: 15_000, limit: 100 } as const;
      const { records } = await mina.ledger.work.claim(request);
      const due = records.filter(({ body }) => body.type !== "mark");
      const record = due.at(-1) ?? assert.fail("nothing is due");
      const [chat] = place.split(":");
      const receipt = { chat: Number(chat), messages: [message] };
      const outcome = { receipt, reason: null, maybeDelivered: false };
      const { id, revision, lease } = record;
      const settle = { id, revision, fence: lease.fence, ends: "delivered", outcome } as const;
      await mina.ledger.work.settle([settle]);
      return id;
    },
  };
}
