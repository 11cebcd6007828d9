import "./base/temporal.ts"; // first: the others use it

/** Daybook as a library: a ledger, and a node that does what is in it. */
export { DaybookError, type ErrorCode } from "./base/errors.ts";
export type { StandardSchemaV1 } from "./base/standard-schema.ts";
export type { Channel, Mark, Message, SendAttempt } from "./channels/channel.ts";
export type { Auth, HostCaller } from "./http/callers.ts";
export type { Book, Ledger, Work } from "./ledger/ledger.ts";
export { fromDrizzle, fromKysely, type Executor } from "./ledger/postgres/executors.ts";
export type { Sent } from "./rules/once/sent.ts";
export { open, type Daybook, type OpenOptions } from "./library/open.ts";
export type { RunHandle, RunOptions } from "./operations/runs/run-handle.ts";
export {
  task,
  type TaskContext,
  type TaskDefinition,
  type TaskOptions,
} from "./runners/function.ts";
export type { Inside, Transaction } from "./library/within.ts";
