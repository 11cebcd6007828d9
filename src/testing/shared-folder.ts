import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileLayouts as layouts } from "../features/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { file, type FileOptions } from "../stores/file/file.ts";
import { testPrograms, type TestPrograms } from "./external-programs.ts";
import { assertShown } from "./ledger-folder.ts";

export const events = "queue/events/pending";
export const event = { type: "github.pr.review_requested", source: "github", payload: { n: 1 } };

export interface SharedFolder {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly programs: TestPrograms;
  /** Drops a file as other programs do. */
  drop(path: string, content: unknown): void;
  read(path: string): Record<string, unknown>;
  quarantined(): readonly string[];
}

export async function inSharedFolder(
  run: (shared: SharedFolder) => Promise<void>,
  more: Partial<FileOptions> & { leaseMs?: number; before?: (folder: string) => void } = {},
): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  const folder = join(parent, "book");
  try {
    if (more.before !== undefined) {
      await (await file({ folder, layouts })).close();
      more.before(folder);
    }
    await withSharedFolder(folder, run, more);
    assertShown(folder);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

export async function withSharedFolder(
  folder: string,
  run: (shared: SharedFolder) => Promise<void>,
  {
    leaseMs = 60_000,
    before: _before,
    ...more
  }: Parameters<typeof inSharedFolder>[1] & object = {},
): Promise<void> {
  const programs = testPrograms({ leaseMs });
  const { external, onStep } = programs;
  const ledger = await file({
    folder,
    layouts,
    scanMs: 50,
    external: () => external,
    onStep,
    ...more,
  });
  try {
    await run({ folder, ledger, programs, ...fileAccess(folder) });
  } finally {
    await ledger.close();
  }
}

function fileAccess(folder: string): Pick<SharedFolder, "drop" | "read" | "quarantined"> {
  return {
    drop: (path, content) => dropFile(folder, path, content),
    read: (path) => JSON.parse(readFileSync(join(folder, path), "utf8")),
    quarantined() {
      const quarantine = join(folder, "quarantine");
      const names = existsSync(quarantine) ? readdirSync(quarantine) : [];
      const reasons = names.filter((name) => name.endsWith(".reason"));
      return reasons.map((name) => readFileSync(join(quarantine, name), "utf8").trim());
    },
  };
}

export function dropFile(folder: string, path: string, content: unknown): void {
  const [parent, name] = [join(folder, path, ".."), path.split("/").at(-1)];
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  const text = isText ? content : JSON.stringify(content);
  writeFileSync(join(parent, `.tmp-${name}`), text);
  renameSync(join(parent, `.tmp-${name}`), join(folder, path));
}

/** Waits for a change that only the files show. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
