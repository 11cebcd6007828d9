import { bookOf } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import { allows } from "../../../kernel/scope.ts";
import { parseTarget } from "../../../kernel/target.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readInput } from "../../../platform/input-path.ts";
import { nearest } from "../../../platform/nearest.ts";
import { quote } from "../../../platform/text.ts";
import type { AddressReader } from "../../accounts/index.ts";
import { addressReaders, channelNames } from "../ports.ts";
import { inboxOf, routeOf, sessionsOf, type Route } from "../routing.ts";
import { webhookKind } from "../webhook.ts";

/** The route of a request: its target, if the caller may name it, or the default. */
export async function checkedRoute(target: string | undefined, context: Context): Promise<Route> {
  if (target !== undefined) await checkTarget(target, context);
  const { origin, owner, profile } = context;
  return routeOf({ target, origin, owner, home: profile.home });
}

/**
 * A caller may name the owner's own targets. Any other target needs the scope `target`, because otherwise every token
 * could send to everybody whom this installation can reach.
 */
export async function checkTarget(target: string, context: Context): Promise<void> {
  const { channel, address } = parseTarget(target);
  const { origin, owner, profile } = context;
  const channels = context.use(channelNames);
  if ([origin, profile.home, inboxOf(owner), sessionsOf(owner)].includes(target)) return;
  if (["inbox", "session", "sessions"].includes(channel)) {
    throw refused(
      `The target ${quote(target)} is not yours: name your own inbox, ${quote(inboxOf(owner))}, or all your sessions, ${quote(sessionsOf(owner))}.`,
    );
  }
  if (!channels.includes(channel)) throw unknownChannel(channel, channels);
  readInput("target", () => readerOf(channel, context)?.(address));
  if (channel === "webhook") return checkWebhook(address, context);
  if (!allows(context.scopes, "target")) {
    throw refused(
      `This token may not name ${quote(target)}: leave the target out, or use a token with the scope "target".`,
    );
  }
}

/** An address that its channel cannot read would be refused at every send: it is refused when it is given. */
function readerOf(channel: string, context: Context): AddressReader | undefined {
  const readers = context.use(addressReaders);
  return Object.hasOwn(readers, channel) ? readers[channel] : undefined;
}

/** Another owner's webhook and one that does not exist give the same error. */
async function checkWebhook(id: string, context: Context): Promise<void> {
  const found = await bookOf(context).get(id);
  if (is(webhookKind, found) && found.endedAt === null) return;
  throw new DaybookError(
    "not_found",
    `There is no webhook ${quote(id)} in this book: register it first.`,
    { details: { id } },
  );
}

function unknownChannel(channel: string, known: readonly string[]): DaybookError {
  const meant = nearest(channel, known);
  const advice =
    meant === undefined
      ? `Choose one of these, or configure channels.${channel}.`
      : `Did you mean "${meant}"?`;
  const sentence = `Unknown channel ${quote(channel)}. Configured: ${known.join(", ") || "none"}. ${advice}`;
  return new DaybookError("invalid", sentence, { details: { channels: known } });
}

function refused(sentence: string): DaybookError {
  return new DaybookError("refused", sentence, { details: { scope: "target" } });
}
