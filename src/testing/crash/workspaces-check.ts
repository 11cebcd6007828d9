import assert from "node:assert/strict";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceOutcome } from "../../features/workspaces/kind.ts";
import type { Content } from "./ledgers.ts";
import { fillWorkspace, foldersOf, workspaceId } from "./workspaces.ts";

/** A workspace as the tables have it. */
export interface WorkspaceRow {
  readonly uid: string;
  readonly state: string;
  readonly outcome: WorkspaceOutcome;
}

export const workspaceContent: Content<WorkspaceRow> = {
  fill: fillWorkspace,
  kinds: ["workspace"],
  columns: "uid, state, outcome",
  read(row) {
    const { outcome } = row;
    return {
      ...(row as unknown as WorkspaceRow), // the columns above
      outcome: (typeof outcome === "string" ? JSON.parse(outcome) : outcome) as WorkspaceOutcome,
    };
  },
};

/** The processes of the workspace with this home, where they can be listed. */
function processesAt(home: string): readonly string[] {
  const pids = existsSync("/proc/self")
    ? readdirSync("/proc").filter((name) => /^\d+$/.test(name))
    : [];
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HOME=${home}\0`);
    } catch {
      return false; // it is gone, or another user's
    }
  });
}

/** Checks that every file is restored from a complete archive, and that no operation or machine is left. */
export function checkWorkspace(rows: readonly WorkspaceRow[], logPath: string): void {
  const { home, machines, archives } = foldersOf(logPath);
  const [row] = rows;
  assert.equal(rows.length, 1);
  assert.equal(row?.uid, workspaceId);
  assert.equal(row.state, "standby");
  const { operation, opId, archiveKey, restoreMarker, errorInfo } = row.outcome;
  assert.deepEqual(
    { operation, opId, errorInfo },
    { operation: null, opId: null, errorInfo: null },
  );
  assert.equal(restoreMarker, archiveKey);
  const volume = JSON.parse(
    readFileSync(join(machines, workspaceId, "volume.json"), "utf8"),
  ) as unknown;
  assert.equal((volume as { marker: string }).marker, archiveKey);
  assert.ok(existsSync(join(archives, archiveKey ?? "")));
  assert.ok(existsSync(join(archives, `${archiveKey ?? ""}.meta`)));
  assert.deepEqual(readdirSync(machines), [workspaceId]);
  assert.ok(!existsSync(join(machines, workspaceId, "machine.json")));
  assert.deepEqual(processesAt(home), []);
  assert.deepEqual(readdirSync(home).toSorted(), ["empty", "link", "src"]);
  const main = join(home, "src", "main.txt");
  assert.equal(readFileSync(main, "utf8"), "가나다\n".repeat(20_000));
  assert.equal(lstatSync(main).mode & 0o777, 0o640);
  assert.equal(readFileSync(join(home, "empty"), "utf8"), "");
  assert.equal(readlinkSync(join(home, "link")), "src/main.txt");
}
