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

/**
 * The migrations that have not run. Throws when one that ran is unknown or differs. `ledger` names the ledger in the
 * error, such as by its path.
 */
export function pendingAfter(
  ledger: string,
  applied: readonly Applied[],
  migrations: readonly Migration[],
): readonly Migration[] {
  for (const past of applied) {
    const known = migrations.find(({ number }) => number === past.number);
    if (known === undefined) {
      throw new DaybookError(
        "unsupported",
        `${ledger} has schema ${past.number}, which is newer than this Daybook: upgrade Daybook.`,
        { details: { schema: past.number } },
      );
    }
    if (checksum(known) !== past.checksum) {
      throw new DaybookError(
        "refused",
        `${ledger} was created by another build of Daybook, with another migration ${past.name}: open it with that build, or start a new ledger.`,
        { details: { migration: past.name } },
      );
    }
  }
  return migrations.slice(applied.length);
}

export function checksum({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}
