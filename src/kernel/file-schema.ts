import * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import type { Json } from "../platform/json.ts";
import { faults } from "../platform/validation-message.ts";
import type { DroppedFile } from "./files.ts";
import { priorities } from "./record.ts";
import type { Key } from "./unit.ts";

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
// What is in a file was JSON: its schema need not say so.
export const jsonValue = z.unknown() as z.ZodType<Json | undefined>;
export const jsonObject = z.record(z.string(), z.unknown() as z.ZodType<Json>);

/** What a file may say once the store wrote it. */
export const writtenFields = {
  created_at: fileMoment.optional(),
  reason: z.string().describe("Why it is so; only in files that Daybook wrote.").optional(),
  daybook: z.unknown().describe("The whole record; only in files that Daybook wrote.").optional(),
};

/** Progress is the ledger's to say. That a record was never tried may be said. */
const ledgerFields = ["reason", "retry_count", "retry_after", "daybook"];

/** A dropped file's content, or an error that says what is wrong with it. */
export function readDropped<T extends { readonly status?: string | undefined }>(
  schema: z.ZodType<T>,
  content: DroppedFile,
): T {
  const read = schema.safeParse(content);
  if (!read.success) throw new DaybookError("invalid", `${faults(content, read.error)}.`);
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
