import type { ChatText } from "../../adapters/chats/chat.ts";
import type { ChatCommand, ChatPart } from "../../kernel/chat.ts";
import type { Installation } from "../../kernel/operation.ts";
import type { Language } from "../../platform/language.ts";
import type { Log } from "../../platform/log.ts";
import type { Translate } from "../../platform/sentences.ts";
import type { People } from "./people.ts";

export interface ChatOptions {
  readonly installation: Installation;
  /** What the features understand. */
  readonly parts: readonly ChatPart[];
  readonly commands: readonly ChatCommand[];
  readonly people: People;
  readonly log: Log;
  /** Translates the sentences of errors; absent: they are English. */
  readonly errorsIn?: ((language: Language) => Promise<Translate>) | undefined;
  /** Records an event if a handler of that book subscribes to it; returns whether one does. */
  readonly emit?: EmitEvent;
}

export type EmitEvent = (
  event: NonNullable<ChatText["event"]>,
  sender: { readonly channel: string; readonly owner: string; readonly by: string },
) => Promise<boolean>;
