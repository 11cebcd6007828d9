import { port } from "../../kernel/port.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { NotificationKind } from "./kind.ts";

/** How something is sent: adapters provide it. */
export interface Channel {
  send(
    notification: LedgerRecord<NotificationKind>,
  ): Promise<{ receipt: string } | { failed: string }>;
}

export const needs = { channel: port<Channel>("notifications.channel") };
