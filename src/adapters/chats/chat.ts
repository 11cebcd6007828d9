import type { SourceEvent } from "../../features/events/index.ts";
import type { ChatAnswer, ChatMessage } from "../../kernel/chat.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Language } from "../../platform/language.ts";
import type { Log } from "../../platform/log.ts";
import type { Service } from "../../platform/service.ts";

/** A message to the bot, or a pressed button of its messages. */
export interface ChatInput {
  /** The channel's name: "telegram". */
  readonly channel: string;
  /** The same when the service repeats it. */
  readonly id: string;
  /** The person, as the channel knows them. */
  readonly sender: {
    readonly id: string;
    readonly name: string;
    /** The language of their app, for people without a profile. */
    readonly language?: Language;
  };
  /** The address of a target, so that `${channel}:${address}` is the origin. */
  readonly address: string;
  readonly content: ChatText | ChatPress;
}

export interface ChatText extends ChatMessage {
  /** A group message not addressed to the bot: only a command or an answer counts. */
  readonly overheard?: boolean;
  /** The same as an event, for its handlers. */
  readonly event?: SourceEvent;
}

interface ChatPress {
  readonly pressed: string;
  /** The message that has the button. */
  readonly message: string | number;
}

/** Never throws: an error becomes an answer in words. */
export type ChatHandler = (input: ChatInput) => Promise<ChatAnswer>;

/** What every chat works with. */
export interface ChatContext {
  readonly handler: ChatHandler;
  readonly log: Log;
  readonly clock: Clock;
}

/** Receives messages of a chat service and answers them; started and stopped with the daemon. */
export interface Chat extends Service {
  readonly name: string;
  /** Takes the service's webhook; absent where the service is polled. */
  handle?(request: Request): Promise<Response>;
}
