import type { Mutant } from "./table.ts";

const file = "features/book/transfer/import.test.ts";

/** Bugs in the export and import of a book. */
export const transferMutants: readonly Mutant[] = [
  {
    name: "transfer: a part of a file makes its live records due at once",
    file: "features/book/transfer/drafts.ts",
    find: "isParked ? undefined : (readyAt ?? undefined)",
    replace: "readyAt ?? undefined",
    test: { file, name: "leaves live records parked until all of it is written" },
  },
  {
    name: "transfer: a repeated import starts what was paused since",
    file: "features/book/transfer/write.ts",
    find: "if (!isUntouched || here.readyAt !== null) return [];",
    replace: "if (endedAt !== null || here.readyAt !== null) return [];",
    test: { file, name: "that was cut off is completed by importing it again" },
  },
  {
    name: "transfer: a book is imported into another owner's",
    file: "features/book/transfer/read.ts",
    find: "if (owner === context.owner) return;",
    replace: 'if (owner !== "") return;',
    test: { file, name: "when it is another owner's, or the caller may not" },
  },
  {
    name: "transfer: a rehearsal is written",
    file: "kernel/rehearsal.ts",
    find: "{ append: others, wake: [{ id: unusedId }] }",
    replace: "{ append: others }",
    test: { file, name: "as a dry run shows what would be created" },
  },
  {
    name: "transfer: a file has the secret of a call",
    file: "features/schedules/transfer.ts",
    find: "return { ...body, run };",
    replace: "return { ...body, run: { ...run, secret: body.run.secret } };",
    test: {
      file: "features/book/transfer/export.test.ts",
      name: "has no credential: no token, no webhook, and no secret that signs a call",
    },
  },
  {
    name: "transfer: an attempt that was running is sent as if it had not been",
    file: "features/notifications/transfer.ts",
    find: "endedAt === null && (inFlight || lapses > 0)",
    replace: "endedAt === null && lapses > 0",
    test: { file, name: "is a notification that may have been delivered" },
  },
];
