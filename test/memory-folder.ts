import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Where Linux has a file system in memory. */
const memory = "/dev/shm";

/** Several times what all tests together have there at once. */
const bytesMin = 4 * 2 ** 30;

/** A new folder in memory that programs can run from; undefined where there is none with room. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < bytesMin) return undefined;
  } catch {
    return undefined; // another system
  }
  const folder = mkdtempSync(join(memory, "db-"));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user
  const probe = join(folder, "probe");
  writeFileSync(probe, "", { mode: 0o755 });
  try {
    accessSync(probe, constants.X_OK);
    return folder;
  } catch {
    rmSync(folder, { recursive: true }); // containers often forbid to run programs there
    return undefined;
  }
}
