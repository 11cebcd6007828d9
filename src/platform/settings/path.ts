import { homedir } from "node:os";
import { resolve } from "node:path";

/** A path as people write it: `~/` is their own folder. */
export function placeOf(path: string, from: string): string {
  return resolve(
    from,
    path.replace(/^~(?=\/)/, () => homedir()),
  );
}
