import { isOpen, inviteKind, personKind } from "../../features/accounts/index.ts";
import { systemOwner } from "../../features/nodes/index.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Installation } from "../../kernel/operation.ts";
import { messageOf } from "../../platform/errors.ts";
import { loop } from "../../platform/loop.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { service, type Service } from "../../platform/service.ts";
import type { Config } from "../config/config.ts";
import type { ChatName } from "./chat-settings.ts";

/** Whether anybody may use a chat: by the settings, by a link, or by a code that is still valid. */
export async function hasUsers(
  { channels }: Pick<Config, "channels">,
  name: ChatName,
  { ledger, now }: { ledger: Ledger; now: number },
): Promise<boolean> {
  if ((channels[name]?.senders.length ?? 0) > 0) return true;
  const book = ledger.of(systemOwner, systemOwner);
  for await (const { body } of recordsIn(book, { kind: personKind, state: "active" })) {
    if (body.channel === name) return true;
  }
  for await (const invite of recordsIn(book, { kind: inviteKind, live: true })) {
    if (isOpen(invite, now)) return true;
  }
  return false;
}

const checkMs = 2_000;

/** Starts a chat when somebody may use it: until then it does not listen. */
export function chatWithUsers(
  chat: Service & { readonly name: ChatName },
  parts: {
    readonly config: Config;
    readonly installation: Pick<Installation, "ledger" | "now">;
    readonly platform: PlatformPorts;
  },
): Service {
  const { config, installation, platform } = parts;
  const { name } = chat;
  const { clock, log } = platform;
  let reported: string | undefined;
  const retry = (reason: string): number => {
    if (reason !== reported) log.warn("chat.closed", { channel: name, reason });
    reported = reason;
    return checkMs;
  };
  const start = loop({
    clock,
    async pass() {
      const { ledger, now } = installation;
      if (!(await hasUsers(config, name, { ledger, now: now() }))) {
        return retry(
          `nobody may use it: run daybook person invite, or set channels.${name}.senders`,
        );
      }
      await chat.start();
      return Infinity;
    },
    failed: (error) => retry(messageOf(error)),
  });
  return service({
    start: start.start,
    async stop() {
      await start.stop();
      await chat.stop();
    },
  });
}
