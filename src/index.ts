/** Daybook as a library: a ledger, and a node that does what is in it. */
export { DaybookError, type ErrorCode } from "./base/errors.ts";
export type { Channel, Message, SendAttempt } from "./channels/channel.ts";
export type { Book, Ledger, Work } from "./ledger/ledger.ts";
export type { Sent } from "./rules/sent.ts";
export { open, type Daybook, type OpenOptions } from "./open.ts";
