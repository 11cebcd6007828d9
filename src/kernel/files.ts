import * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import type { Json } from "../platform/json.ts";
import { validationMessage } from "../platform/validation-message.ts";
import type { Kind } from "./kind.ts";
import { type Claimed, type LedgerRecord, priorities } from "./record.ts";
import type { Live, Shape, State } from "./shape.ts";
import type { Draft, Consequences, Key } from "./unit.ts";
import type { Verdict } from "./verdict.ts";

/** The content of a file, as other programs read it. */
export type FileView = Readonly<Record<string, unknown>>;

/**
 * How the file store shows the records of one kind. The store knows no kind: one without a layout is shown in
 * `queue/{name}s/{state}/`, and in `in_progress/` under a lease.
 */
export interface FileLayout<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  /** Its folder in `queue/`. */
  readonly folder: string;
  /** The folders of its states. They exist before any record does, so that people and programs can open them. */
  readonly stateFolders?: readonly string[];
  /** The folder of a state; absent: as without a layout. */
  stateFolder?(state: State<S>, leased: boolean): string;
  /** The fields of its file; the store adds the whole record as `daybook`. */
  view?(record: LedgerRecord<S>): FileView;
  /** The state folder that other programs may write new records into. */
  readonly dropFolder?: string;
  /** How other programs work on its records; absent: they do not. */
  readonly worker?: WorkerFiles<S>;
}

/** The files of records that other programs claim by moving a file and end by writing one. */
export interface WorkerFiles<S extends Shape = Shape> {
  /** The state of a record that may be claimed. */
  readonly state: Live<S>;
  /** The state folder its file is moved to. */
  readonly claimFolder: string;
  /** Where results are, as `{id}.json`, with `{id}-heartbeat` beside. */
  readonly resultFolder: string;
  /** The field of a result that names its record. What a worker writes there does not count. */
  readonly idField: string;
  /** How the names end of files that a worker may keep beside its result. */
  readonly sidecars: readonly string[];
  /** The result file of a record that has ended. */
  result(record: LedgerRecord<S>): ResultView;
}

/** A result that the store wrote is known by its `daybook`. */
export type ResultView = FileView & {
  readonly daybook: { readonly state: string; readonly finished_at: string };
};

/** Keeps the types of a layout together, and forgets them for the list that the store is given. */
export function fileLayout<S extends Shape>(layout: FileLayout<S>): FileLayout {
  return layout;
}

/**
 * What other programs may do with the files of one kind. A `DaybookError` that a function throws is the reason beside
 * the file in quarantine, unless its code is `unavailable`: then the file is read again later.
 */
export interface FileActions<S extends Shape = Shape> {
  /** The draft of a dropped file; absent: no file may be dropped. */
  drop?(content: DroppedFile): Answer<{ draft: Draft; consequences?: Consequences }>;
  readonly work?: FileWork<S>;
}

/** A JSON object with an id, its own or its file's name. Nothing of it is checked yet. */
export type DroppedFile = FileView & { readonly id: unknown };

export interface FileWork<S extends Shape = Shape> {
  /** The worker that may claim a record by its file; undefined: none, and the file is moved back. */
  worker(record: LedgerRecord<S>): FileWorker | undefined;
  /** The verdict for a result file. Null: there is no file, and the lease is over. */
  result(record: Claimed<S>, json: unknown): Answer<Verdict<S>>;
}

/** The lease is held by `file:{name}`. */
export interface FileWorker {
  readonly name: string;
  /** From the claim, or from the newest touch of the heartbeat. */
  readonly leaseMs: number;
}

/** How the name of a holder begins that works over files. Only its store sees whether it is alive. */
export const fileHolder = "file:";

/** The programs that write into the folders of a file store, and what they may do. */
export interface ExternalPrograms {
  /** Whose book dropped files are written in, and by whom. */
  readonly owner: string;
  readonly by: string;
  /** By the name of the kind. */
  readonly actions: ReadonlyMap<string, FileActions>;
  /** Receives faults of work that no caller awaits. */
  failed?(error: unknown): void;
}

/** An entry of `ExternalPrograms.actions`. */
export function fileActions<S extends Shape>(
  { name }: Kind<S>,
  actions: FileActions<S>,
): [kind: string, actions: FileActions] {
  return [name, actions];
}

type Answer<T> = T | Promise<T>;

/** An id that other programs may choose: no such name leads out of a folder. */
export const fileId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:~@+=,-]{0,199}$/,
    "begin with a letter or digit, go on with those and . _ : ~ @ + = , -",
  );
export const filePriority = z.enum(priorities);
export const fileMoment = z.iso.datetime({
  offset: true,
  error: 'write it like "2026-02-07T10:00:00Z"',
});
// A file's content was parsed from JSON, so its schema need not check that again.
export const jsonValue = z.unknown() as z.ZodType<Json | undefined>;
export const jsonObject = z.record(z.string(), z.unknown() as z.ZodType<Json>);

/** The fields that the store adds to a file it writes. */
export const writtenFields = {
  created_at: fileMoment.optional(),
  reason: z.string().describe("Why it is so; only in files that Daybook wrote.").optional(),
  daybook: z.unknown().describe("The whole record; only in files that Daybook wrote.").optional(),
};

/** Fields that only the ledger writes. A dropped file may state a retry count of 0. */
const ledgerFields = ["reason", "retry_count", "retry_after", "daybook"];

/** Parses the content of a dropped file; throws an error that names what is wrong with it. */
export function readDropped<T extends { readonly status?: string | undefined }>(
  schema: z.ZodType<T>,
  content: DroppedFile,
): T {
  const read = schema.safeParse(content);
  if (!read.success)
    throw new DaybookError("invalid", `${validationMessage(content, read.error)}.`);
  const { status = "pending" } = read.data;
  if (status !== "pending") {
    throw new DaybookError("invalid", `Its status is ${status}: only what is pending is dropped.`);
  }
  const refused = Object.entries<unknown>(read.data).find(
    ([name, value]) => ledgerFields.includes(name) && !(name === "retry_count" && value === 0),
  );
  if (refused === undefined) return read.data;
  throw new DaybookError("invalid", `"${refused[0]}" is not yours to say: leave it out.`);
}

/** The key of a dropped record: a record of ours that has the same id is not the same one. */
export function fileKey(id: string): Key {
  return { name: `file:${id}`, asked: id };
}
