import { port } from "../../kernel/port.ts";
import type { Channel } from "./channel.ts";
import type { Numbers } from "./counter.ts";
import type { Listeners } from "./listeners.ts";

/** The channels that are set up, by name. */
export const channelNames = port<readonly string[]>("notifications.channels");

/** Whether URLs may be called: any, none, or the function throws for one that would not be called. */
export type CallRule = boolean | ((url: string) => void);
export const callRule = port<CallRule>("notifications.callRule", true);

/** Counts what is named by its day, such as `task-20260207-001`. */
export const dayNumbers = port<Numbers>("notifications.dayNumbers");

/** The channels that this node sends on. */
export const nodeChannels = port<readonly Channel[]>("notifications.nodeChannels", []);

/** Wraps each channel of this node, to observe what is sent. */
export const channelTap = port<(channel: Channel) => Channel>(
  "notifications.channelTap",
  (channel) => channel,
);

/** Whose inbox pops up on this node, and on which channel. */
interface PopUps {
  readonly owners: readonly string[];
  readonly channel: Channel;
}
export const popUps = port<PopUps | undefined>("notifications.popUps", undefined);

/** Where listeners attach to this node. */
export const nodeListeners = port<Listeners>("notifications.attaching");
