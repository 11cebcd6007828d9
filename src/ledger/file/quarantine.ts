import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./whole-file.ts";

/** Puts bytes, or a file by its path, where nothing reads them, with the reason beside. */
export function quarantine(
  folder: string,
  name: string,
  { content, reason }: { content: Buffer | string; reason: string },
): void {
  const drawer = join(folder, "quarantine");
  mkdirSync(drawer, { recursive: true, mode: 0o700 });
  const path = join(drawer, name);
  writeWhole(`${path}.reason`, `${reason}\n`);
  if (typeof content === "string") {
    renameSync(content, path);
  } else {
    rmSync(path, { force: true });
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  }
}
