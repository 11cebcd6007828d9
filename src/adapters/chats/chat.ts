import type { SourceEvent } from "../../features/events/poll-result.ts";
import type { Language } from "../../platform/language.ts";
import type { Service } from "../../platform/service.ts";

/** Something somebody did in a chat. */
export interface Heard {
  /** The channel's name: "telegram". */
  readonly channel: string;
  /** The same when it is told again. */
  readonly id: string;
  /** Who, as the channel knows them. */
  readonly sender: {
    readonly id: string;
    readonly name: string;
    /** What their app is set to, for those of whom nothing else is known. */
    readonly language?: Language;
  };
  /** Where: the address of a target, so that `${channel}:${place}` is the origin. */
  readonly place: string;
  readonly what: Said | Pressed;
}

export interface Said {
  readonly said: string;
  /** The message of ours it answers to, as in a receipt. */
  readonly replyTo?: string | number;
  /** It is in a thread, where nobody can answer to one message: it may be the answer to the last. */
  readonly inThread?: boolean;
  /** It was said among others and not to us: only a command or an answer is meant for us. */
  readonly overheard?: boolean;
  /** The same as something that happened, for those who handle such. */
  readonly event?: SourceEvent;
}

interface Pressed {
  readonly pressed: string;
  /** The message whose button it was. */
  readonly message: string | number;
}

/** What is answered, in the same place. */
export interface Told {
  /** Markdown. */
  readonly text?: string;
  /** Shown on the message whose button was pressed, in place of the buttons. */
  readonly mark?: string;
  /** A short line that only the one who pressed sees. */
  readonly toast?: string;
}

/** Never throws: what goes wrong is told in words. */
export type Hear = (heard: Heard) => Promise<Told>;

/** Hears a chat service and answers there; started and stopped with the daemon. */
export interface Chat extends Service {
  readonly name: string;
  /** Where the service tells us over HTTP what happened; absent where it is asked for that. */
  handle?(request: Request): Promise<Response>;
}
