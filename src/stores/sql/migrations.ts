import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { DaybookError } from "../../platform/errors.ts";

/** A numbered .sql file. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** The entry of a migration that ran. */
export interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** The numbered .sql files of a folder, in order. */
export function readMigrations(folder: URL): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => ({
      number: Number.parseInt(name, 10),
      name,
      sql: readFileSync(new URL(name, folder), "utf8"),
    }));
}

/** The migrations that have not run. Throws when a migration that ran is not ours. */
export function pendingAfter(
  applied: readonly Applied[],
  migrations: readonly Migration[],
): readonly Migration[] {
  for (const past of applied) {
    const ours = migrations.find(({ number }) => number === past.number);
    if (ours === undefined) {
      throw new DaybookError(
        "unsupported",
        `The ledger has schema ${past.number}, which is newer than this daybook: upgrade daybook.`,
        { details: { schema: past.number } },
      );
    }
    if (checksum(ours) !== past.checksum) {
      throw new DaybookError(
        "refused",
        `The migration ${past.name} was changed after it ran: another build of Daybook made this book. Open it with that build, or start a new book.`,
        { details: { migration: past.name } },
      );
    }
  }
  return migrations.slice(applied.length);
}

export function checksum({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}
