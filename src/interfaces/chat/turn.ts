import type * as z from "zod";
import type { ChatInput } from "../../adapters/chats/chat.ts";
import type { LinkedCaller } from "../../features/accounts/index.ts";
import { recordOfMessage } from "../../features/notifications/index.ts";
import { callOperation } from "../../kernel/call.ts";
import type { ChatTurn } from "../../kernel/chat.ts";
import type { Caller, Operation } from "../../kernel/operation.ts";
import { findByTypedId } from "../../kernel/typed-id.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { ChatOptions } from "./options.ts";
import { textsOf } from "./texts.ts";

/** One message of a known person, with all that is needed to answer it. */
export async function turnOf(
  incoming: ChatInput,
  known: LinkedCaller,
  { installation, errorsIn }: Pick<ChatOptions, "installation" | "errorsIn">,
): Promise<ChatTurn> {
  const { channel, address, content } = incoming;
  // The answer goes to the chat the message came from, whatever chat the person was linked in.
  const origin = `${channel}:${address}`;
  const pressed = "pressed" in content ? { pressed: content.message } : {};
  const caller: Caller = { ...known, origin, typed: true, ...pressed };
  const { owner, by } = known;
  const { zone, language } = await installation.readProfile(owner);
  const book = installation.ledger.of(owner, by);
  const replyTo = "text" in content ? content.replyTo : undefined;
  const texts = textsOf(language);
  return {
    use: installation.use,
    owner,
    book,
    origin,
    reader: { now: installation.now(), zone, language },
    key: `chat:${channel}:${incoming.id}`,
    texts,
    translate: (await errorsIn?.(language)) ?? ((sentence) => sentence),
    async request<Input extends z.ZodObject, Output>(
      operation: Operation<Input, Output>,
      input: z.input<Input>,
    ) {
      const { output } = await callOperation(installation, operation, input, caller);
      return output as Output; // the output of that operation
    },
    async replied() {
      return replyTo === undefined ? undefined : recordOfMessage(book, origin, replyTo);
    },
    find: async (typed, kinds) => {
      const [only, second] = await findByTypedId(book, typed, kinds);
      if (second !== undefined) throw new DaybookError("invalid", texts.ambiguous(quote(typed)));
      if (only === undefined) throw new DaybookError("not_found", texts.notFound(quote(typed)));
      return only;
    },
  };
}
