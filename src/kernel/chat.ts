import type * as z from "zod";
import type { Language } from "../platform/language.ts";
import type { Translate } from "../platform/sentences.ts";
import type { RecordOfAny } from "./id-prefix.ts";
import type { Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { Operation, Reader } from "./operation.ts";
import type { Ports } from "./port.ts";
import type { AnyRecord } from "./record.ts";

/** What a feature understands in chats. */
export interface ChatPart {
  readonly commands?: readonly ChatCommand[];
  /** Kinds that `/cancel` takes. */
  readonly cancels?: readonly ChatCancel[];
  /** The lines that `/list` shows of it. */
  list?(turn: ChatTurn): Promise<readonly ChatLine[]>;
  /** Answers a pressed button; undefined when the button is not one of the feature. */
  press?(turn: ChatTurn, data: string): Promise<ChatAnswer | undefined>;
  /** Answers a message that answers a question of the feature; undefined for other messages. */
  reply?(turn: ChatTurn, message: ChatMessage): Promise<ChatAnswer | undefined>;
  /** The same for a message in a thread that no handler took. */
  replyInThread?(turn: ChatTurn, message: ChatMessage): Promise<ChatAnswer | undefined>;
  /** Whether the feature writes in the thread of a message that was not addressed to the bot. */
  ownsThread?(turn: ChatTurn): Promise<boolean>;
}

export interface ChatCommand {
  /** As it is typed after the slash. */
  readonly name: string;
  /** Other names, typed without a slash too. */
  readonly aliases: readonly string[];
  readonly texts: Readonly<Record<Language, ChatCommandTexts>>;
  /** `text` is all that was typed after the command. */
  run(turn: ChatTurn, text: string): Promise<ChatAnswer>;
}

interface ChatCommandTexts {
  /** What it does, in at most 100 characters. */
  readonly summary: string;
  /** Its arguments: "[ID] TIME". */
  readonly usage: string;
}

interface ChatCancel {
  readonly kinds: readonly Kind[];
  cancel(turn: ChatTurn, id: string): Promise<ChatAnswer>;
}

export interface ChatLine {
  /** Where it is sent. */
  readonly target: string;
  readonly text: string;
}

/** An answer, sent to the same chat. */
export interface ChatAnswer {
  /** Markdown. */
  readonly text?: string;
  /** Replaces the buttons of the message whose button was pressed. */
  readonly mark?: string;
  /** A short line for the person who pressed. */
  readonly toast?: string;
}

/** A text that a person sent. */
export interface ChatMessage {
  readonly text: string;
  /** The message of the bot that it replies to, as in a receipt. */
  readonly replyTo?: string | number | undefined;
  /** It is in a thread, where nobody can reply to one message: it may answer the last one. */
  readonly inThread?: boolean | undefined;
}

/** One message or pressed button of a known person, with all that is needed to answer it. */
export interface ChatTurn extends Ports {
  readonly owner: string;
  /** The book of the person. */
  readonly book: Book;
  /** The chat it came from, as a target. */
  readonly origin: string;
  readonly reader: Reader;
  /** Idempotency key: a message that is received again requests nothing twice. */
  readonly key: string;
  readonly texts: ChatTexts;
  /** The sentence of an error in the reader's language. */
  readonly translate: Translate;
  request<Input extends z.ZodObject, Output>(
    operation: Operation<Input, Output>,
    input: z.input<Input>,
  ): Promise<Output>;
  /** The notification that the message replies to. */
  replied(): Promise<AnyRecord | undefined>;
  /** The record of one of these kinds whose id is, starts with, or ends in what was typed; throws when there is none. */
  find<const Kinds extends readonly Kind[]>(
    typed: string,
    kinds: Kinds,
  ): Promise<RecordOfAny<Kinds>>;
}

/** Answers that commands of several features give. */
interface ChatTexts {
  /** The request was made before, and its record is no longer kept. */
  readonly forgotten: (id: string) => string;
  readonly noTime: (example: string) => string;
  readonly whichOne: (command: string) => string;
}
