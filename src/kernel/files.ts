import * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import type { Json } from "../platform/json.ts";
import { validationMessage } from "../platform/validation-message.ts";
import type { Kind } from "./kind.ts";
import { type Claimed, type LedgerRecord, priorities } from "./record.ts";
import type { Live, Shape, State } from "./shape.ts";
import type { Draft, Consequences, Key } from "./unit.ts";
import type { Verdict } from "./verdict.ts";

/** The content of a file for other programs. */
export type FileView = Readonly<Record<string, unknown>>;

/**
 * How the file store shows the records of one kind. The store knows no kind by name: a kind without a layout is in
 * `records/{name}s/{state}/`, and in `in_progress/` under a lease.
 */
export interface FileLayout<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  /** `queue/{name}` for what other programs work on, else `records/{name}`. */
  readonly folder: `${"queue" | "records"}/${string}`;
  /** The folders of its states. They exist before the first record, so that people and programs can open them. */
  readonly stateFolders?: readonly string[];
  /** The folder of a state. Absent: the default. */
  stateFolder?(state: State<S>, leased: boolean): string;
  /** The fields of its file; the store adds what it keeps of the record as `daybook`. */
  view?(record: LedgerRecord<S>): FileView;
  /** The state folder that other programs may write new records into. */
  readonly dropFolder?: string;
  /** How other programs work on its records. Absent: not at all. */
  readonly worker?: WorkerFiles<S>;
}

/** The files of records that other programs claim by moving a file and end by writing one. */
export interface WorkerFiles<S extends Shape = Shape> {
  /** The state of a record that may be claimed. */
  readonly state: Live<S>;
  /** The state folder its file is moved to. */
  readonly claimFolder: string;
  /** The folder of results: `{id}.json`, with `{id}-heartbeat` beside. */
  readonly resultFolder: string;
  /** The field of a result that names its record. A worker's own value of it is ignored. */
  readonly idField: string;
  /** The suffixes of files that a worker may keep beside its result. */
  readonly sidecars: readonly string[];
  /** The result file of a record that has ended. */
  result(record: LedgerRecord<S>): ResultView;
}

/** The field `daybook` marks a result that the store wrote. */
export type ResultView = FileView & {
  readonly daybook: { readonly state: string; readonly finished_at: string };
};

/** Checks the types of a layout, and drops them for the store's list of layouts. */
export function fileLayout<S extends Shape>(layout: FileLayout<S>): FileLayout {
  return layout;
}

/**
 * What other programs may do with the files of one kind. A thrown `DaybookError` becomes the reason beside the file
 * in quarantine, unless its code is `unavailable`: then the file is read again later.
 */
export interface FileActions<S extends Shape = Shape> {
  /** The draft of a dropped file; absent: no file may be dropped. */
  drop?(content: DroppedFile): Answer<{ draft: Draft; consequences?: Consequences }>;
  readonly work?: FileWork<S>;
}

/** An unchecked JSON object with an id, its own or the file's name. */
export type DroppedFile = FileView & { readonly id: unknown };

export interface FileWork<S extends Shape = Shape> {
  /** The worker that may claim a record by its file. Undefined: none, and the file is moved back. */
  worker(record: LedgerRecord<S>): FileWorker | undefined;
  /** The verdict for a result file. Null: there is no file, and the lease has expired. */
  result(record: Claimed<S>, report: FileReport | null): Answer<FileEnd<S>>;
}

/** The content of a result file, or why it cannot be read. */
export type FileReport = { readonly json: FileView } | { readonly wrong: string };

/** `wrong`: why the file goes to quarantine, whatever the verdict. */
interface FileEnd<S extends Shape = Shape> {
  readonly verdict: Verdict<S>;
  readonly wrong?: string | undefined;
}

/** The lease is held by `file:{name}`. */
export interface FileWorker {
  readonly name: string;
  /** From the claim, or from the newest touch of the heartbeat. */
  readonly leaseMs: number;
}

/** The prefix of the name of a holder that works over files. Only its store can see whether it is alive. */
export const fileHolder = "file:";

/** The programs that write into the folders of a file store, and their permissions. */
export interface ExternalPrograms {
  /** The owner of the records of dropped files, and their principal. */
  readonly owner: string;
  readonly by: string;
  /** Keyed by the name of the kind. */
  readonly actions: ReadonlyMap<string, FileActions>;
  /** Receives errors of work that no caller awaits. */
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

/** An id that other programs may choose: no such name escapes its folder. */
export const fileId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:~@+=,-]{0,199}$/,
    "begin with a letter or digit, and use only letters, digits and . _ : ~ @ + = , -",
  );
export const filePriority = z.enum(priorities);
export const fileMoment = z.iso.datetime({
  offset: true,
  error: 'write it like "2026-02-07T10:00:00Z"',
});
// The content of a file was parsed from JSON, so its schema need not check that again.
export const jsonValue = z.unknown() as z.ZodType<Json | undefined>;
export const jsonObject = z.record(z.string(), z.unknown() as z.ZodType<Json>);

/** The fields that the store adds to a file it writes. */
export const writtenFields = {
  created_at: fileMoment.optional(),
  reason: z
    .string()
    .describe("the reason for its state. Only in files that Daybook wrote")
    .optional(),
  daybook: z
    .unknown()
    .describe(
      "what the ledger keeps of it: revision, attempt, lease. Only in files that Daybook wrote",
    )
    .optional(),
};

/** Fields that only the ledger writes. A dropped file may state a retry count of 0. */
const ledgerFields = ["reason", "received_at", "retry_count", "retry_after", "daybook"];

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
    throw new DaybookError(
      "invalid",
      `Its "status" is ${status}: a dropped file must be pending, or leave it out.`,
    );
  }
  const refused = Object.entries<unknown>(read.data).find(
    ([name, value]) => ledgerFields.includes(name) && !(name === "retry_count" && value === 0),
  );
  if (refused === undefined) return read.data;
  throw new DaybookError("invalid", `Only Daybook writes "${refused[0]}": leave it out.`);
}

/** The key of a dropped record. A record with this id that was not dropped has another key, or none. */
export function fileKey(id: string): Key {
  return { name: `file:${id}`, asked: id };
}
