import { port, registry } from "../../kernel/port.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { type AddressReader, addressReadersOfOwn } from "../accounts/index.ts";
import type { Channel } from "./channel.ts";
import type { Numbers } from "./counter.ts";
import type { DeliveryHook } from "./delivery-hook.ts";
import type { NotificationKind } from "./kind.ts";
import type { Listeners } from "./listeners.ts";

/** The names of the configured channels. */
export const channelNames = port<readonly string[]>("notifications.channels");

/** What reads the addresses of a channel, by its name; a channel without one takes any address. */
export const addressReaders = port<Readonly<Record<string, AddressReader>>>(
  "notifications.addressReaders",
  addressReadersOfOwn,
);

/** Whether URLs may be called: any, none, or those that the function does not refuse with an error. */
export type CallRule = boolean | ((url: string) => void);
export const callRule = port<CallRule>("notifications.callRule", true);

/** Issues the numbers of ids such as `task-20260207-001`. */
export const dayNumbers = port<Numbers>("notifications.dayNumbers");

/** What follows from the end of notifications, for the features above. */
export const deliveryHooks = registry<DeliveryHook>("notifications.deliveryHooks");

/** Reads the complete output of a run; undefined: it has none. */
export type OutputReader = (
  record: Pick<LedgerRecord<NotificationKind>, "owner" | "by" | "parent">,
) => Promise<string | undefined>;
export const outputReader = port<OutputReader | undefined>("notifications.outputReader", undefined);

/** The channels that this node sends on. */
export const nodeChannels = port<readonly Channel[]>("notifications.nodeChannels", []);

/** Wraps each channel of this node, to observe what is sent. */
export const channelTap = port<(channel: Channel) => Channel>(
  "notifications.channelTap",
  (channel) => channel,
);

/** The owners whose inbox pops up on this node, and the channel that shows it. */
interface PopUps {
  readonly owners: readonly string[];
  readonly channel: Channel;
}
export const popUps = port<PopUps | undefined>("notifications.popUps", undefined);

/** Where listeners attach to this node. */
export const nodeListeners = port<Listeners>("notifications.nodeListeners");

/** Whether anybody is attached to a target at this node; undefined where nobody can attach. */
export const hasListener = port<((target: string) => boolean) | undefined>(
  "notifications.hasListener",
  undefined,
);
