import type * as z from "zod";
import type { ChatInput } from "../../adapters/chats/chat.ts";
import type { Texts } from "../../adapters/chats/texts-en.ts";
import { textsOf } from "../../adapters/chats/texts.ts";
import type { LinkedCaller } from "../../features/accounts/index.ts";
import type { operations } from "../../features/index.ts";
import { type NotificationKind, recordOfMessage } from "../../features/notifications/index.ts";
import { localRunners } from "../../features/tasks/index.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { TimeContext } from "../../time/times.ts";

export type Operations = typeof operations;

/** One message of a known person, with all that is needed to answer it. */
export interface Turn {
  readonly incoming: ChatInput;
  readonly operations: Operations;
  readonly look: TimeContext;
  readonly texts: Texts;
  /** The book of the person. */
  readonly book: Book;
  readonly owner: string;
  /** The chat it came from, as a target. */
  readonly origin: string;
  /** Idempotency key: a message that is received again asks nothing twice. */
  readonly key: string;
  /** Whether an agent runner is configured. */
  readonly hasAgent: boolean;
  ask<Input extends z.ZodObject, Output>(
    operation: Operation<Input, Output>,
    input: z.input<Input>,
  ): Promise<Output>;
  /** The notification that the message replies to. */
  replied(): Promise<LedgerRecord<NotificationKind> | undefined>;
}

interface TurnOptions {
  readonly installation: Installation;
  readonly operations: Operations;
}

export async function turnOf(
  incoming: ChatInput,
  known: LinkedCaller,
  { installation, operations }: TurnOptions,
): Promise<Turn> {
  // The answer goes to the chat the message came from, whatever chat the person was linked in.
  const origin = `${incoming.channel}:${incoming.address}`;
  const pressed = "pressed" in incoming.content ? { pressed: incoming.content.message } : {};
  const caller: Caller = { ...known, origin, ...pressed };
  const { owner, by } = known;
  const { zone, language } = await installation.readProfile(owner);
  const book = installation.ledger.of(owner, by);
  const replyTo = "text" in incoming.content ? incoming.content.replyTo : undefined;
  return {
    incoming,
    operations,
    look: { now: installation.now(), zone, language },
    texts: textsOf(language),
    book,
    owner,
    origin,
    key: `chat:${incoming.channel}:${incoming.id}`,
    hasAgent: installation.use(localRunners).agent === true,
    async ask<Input extends z.ZodObject, Output>(
      operation: Operation<Input, Output>,
      input: z.input<Input>,
    ) {
      const { output } = await callOperation(installation, operation, input, caller);
      return output as Output; // the output of that operation
    },
    async replied() {
      return replyTo === undefined ? undefined : recordOfMessage(book, origin, replyTo);
    },
  };
}
