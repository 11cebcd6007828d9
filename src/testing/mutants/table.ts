import { calendarMutants } from "./calendars.ts";
import { eventWaitMutants } from "./event-waits.ts";
import { eventMutants } from "./events.ts";
import { memoryMutants } from "./memory.ts";
import { nagMutants } from "./nags.ts";
import { notificationMutants } from "./notifications.ts";
import { runtimeMutants } from "./runtime.ts";
import { scheduleMutants } from "./schedules.ts";
import { sqliteMutants } from "./sqlite.ts";
import { transferMutants } from "./transfers.ts";
import { workspaceMutants } from "./workspaces.ts";

/** A bug we plant: in one file, one text becomes another. No switch for it is in the code itself. */
export interface Mutant extends Change {
  readonly name: string;
  /** What is changed with it. */
  readonly also?: Change;
  /** The world that finds it; absent: that of a minute. */
  readonly world?: "workspaces";
  /** The test that finds it, instead of a world. */
  readonly test?: { readonly file: string; readonly name: string };
}

export interface Change {
  /** Under src/. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Every planted bug. A later capability adds a file of its own. */
export const mutants: readonly Mutant[] = [
  ...memoryMutants,
  ...sqliteMutants,
  ...runtimeMutants,
  ...notificationMutants,
  ...scheduleMutants,
  ...nagMutants,
  ...eventMutants,
  ...eventWaitMutants,
  ...workspaceMutants,
  ...transferMutants,
  ...calendarMutants,
];
