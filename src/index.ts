import "./platform/temporal.ts"; // first: the others use it

/** Daybook as a library: a ledger, and a node that does what is in it. */
export { DaybookError, type ErrorCode } from "./platform/errors.ts";
export type { StandardSchemaV1 } from "./platform/standard-schema.ts";
export type { Channel, Mark, Message, SendAttempt, Sent } from "./features/notifications/index.ts";
export type { Auth, HostCaller } from "./interfaces/http/callers.ts";
export { ledgerOver } from "./kernel/checked-ledger.ts";
export type { Book, Ledger, Work } from "./kernel/ledger.ts";
export type { Transport, Verbs } from "./kernel/verbs.ts";
export { fromDrizzle, fromKysely, type Executor } from "./stores/postgres/executors.ts";
export { open, type Daybook, type OpenOptions } from "./app/library/open.ts";
export {
  task,
  type TaskContext,
  type TaskDefinition,
  type TaskOptions,
} from "./features/tasks/index.ts";
export type { RunHandle, RunOptions } from "./app/library/run-handle.ts";
export type { Inside, Transaction } from "./app/library/transaction.ts";
