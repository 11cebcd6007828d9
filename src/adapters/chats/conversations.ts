import type { ChatAnswer } from "../../kernel/chat.ts";
import type { ChatContext, ChatInput } from "./chat.ts";

/** Handles the inputs of one address in order, and addresses in parallel. */
export interface Conversations {
  /**
   * Resolves when the input is handled: its records are stored then. Its answer is sent after
   * the earlier ones of the same address. A repeated input is not handled again.
   */
  take(input: ChatInput, answer: SendAnswer): Promise<void>;
  /** Resolves when all inputs are answered. */
  idle(): Promise<void>;
}

type SendAnswer = (answer: ChatAnswer) => Promise<void>;

/** Ids kept to recognise a repeat: more than a service repeats. */
const recentMax = 10_000;
/** Answers that may wait at an address before its next input is handled. */
const answersMax = 20;

interface Conversation {
  handling: Promise<void>;
  answering: Promise<void>;
  /** Inputs that are not answered yet. */
  open: number;
  answers: number;
}

export function conversations({
  handler,
  log,
}: Pick<ChatContext, "handler" | "log">): Conversations {
  const recent = new Map<string, Promise<void>>();
  const active = new Map<string, Conversation>();
  const failed =
    ({ channel, address }: ChatInput) =>
    (error: unknown) =>
      log.warn("chat.unanswered", { channel, place: address, error });

  const turn = async (on: Conversation, input: ChatInput, send: SendAnswer) => {
    if (on.answers >= answersMax) await on.answering;
    const answer = await handler(input);
    on.answers += 1;
    on.answering = on.answering
      .then(() => send(answer))
      .catch(failed(input))
      .finally(() => (on.answers -= 1));
    // In an object: a promise that resolves to a promise would wait for the answer too.
    return { answered: on.answering };
  };
  const queue = (input: ChatInput, send: SendAnswer): Promise<void> => {
    const name = `${input.channel}:${input.address}`;
    const on = active.get(name) ?? newConversation();
    active.set(name, on);
    on.open += 1;
    const close = (): void => {
      on.open -= 1;
      if (on.open === 0) active.delete(name);
    };
    on.handling = on.handling
      .then(() => turn(on, input, send))
      .then(
        ({ answered }) => void answered.finally(close),
        (error: unknown) => {
          failed(input)(error);
          close();
        },
      );
    return on.handling;
  };
  return {
    take(input, send) {
      const id = `${input.channel}:${input.id}`;
      const before = recent.get(id);
      if (before !== undefined) return before;
      const taken = queue(input, send);
      recent.set(id, taken);
      const [oldest] = recent.keys();
      if (recent.size > recentMax && oldest !== undefined) recent.delete(oldest);
      return taken;
    },
    async idle() {
      while (active.size > 0) {
        const all = [...active.values()];
        await Promise.all(all.map((each) => each.handling.then(() => each.answering)));
      }
    },
  };
}

function newConversation(): Conversation {
  return { handling: Promise.resolve(), answering: Promise.resolve(), open: 0, answers: 0 };
}
