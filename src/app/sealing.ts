import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Sealer } from "../features/calendars/index.ts";
import { DaybookError, messageOf } from "../platform/errors.ts";
import { lazy } from "../platform/lazy.ts";
import { keyBytes, nonceBytes, seal, unseal } from "../platform/seal.ts";

const defaultPurpose = "calendar secret";

/**
 * Seals with the key in `DAYBOOK_SECRET_KEY`, else with that of the home. Undefined where there is neither: a book in
 * another program may have no home.
 */
export function sealerAt(
  home: string | undefined,
  secretKey: string | undefined = process.env["DAYBOOK_SECRET_KEY"],
): Sealer | undefined {
  if (!secretKey && home === undefined) return undefined;
  const path = home === undefined ? "" : join(home, "secret.key");
  const name = secretKey ? "DAYBOOK_SECRET_KEY" : path;
  const known = lazy(() => (secretKey ? keyIn(secretKey, name) : storedKey(path)));
  return {
    seal(text, context = defaultPurpose) {
      const key = known() ?? madeKey(path);
      return seal(text, { key, context, nonce: randomBytes(nonceBytes) });
    },
    open(sealed, context = defaultPurpose) {
      const key = known() ?? storedKey(path);
      const text = key && unseal(sealed, { key, context });
      if (text !== undefined) return text;
      throw new DaybookError("refused", notOpened(name));
    },
  };
}

function notOpened(name: string): string {
  return `This secret was sealed with another key than ${name}: put the old key back, or connect the calendar again. Nodes on several machines need the same DAYBOOK_SECRET_KEY.`;
}

function keyIn(text: string, name: string): Uint8Array {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === keyBytes) return key;
  const sentence = `${name} is not a key: give it ${keyBytes} bytes in base64, as openssl rand -base64 ${keyBytes} makes them.`;
  throw new DaybookError("invalid", sentence);
}

function storedKey(path: string): Uint8Array | undefined {
  try {
    return keyIn(readFileSync(path, "utf8"), path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (cause instanceof DaybookError) throw cause;
    const sentence = `${path} cannot be read (${messageOf(cause)}): run this as its owner, or set DAYBOOK_SECRET_KEY.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

/** The stored key; a new one if there is none. Of processes that make one at the same time, one wins. */
function madeKey(path: string): Uint8Array {
  const found = storedKey(path);
  if (found !== undefined) return found;
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeWhole(draft, `${randomBytes(keyBytes).toString("base64")}\n`);
    // Unlike a rename, a link never replaces a key that another process has sealed with.
    linkSync(draft, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") {
      const sentence = `${path} cannot be written (${messageOf(cause)}): choose a folder that you may write to.`;
      throw new DaybookError("unavailable", sentence, { cause });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const made = storedKey(path);
  if (made !== undefined) return made;
  throw new DaybookError("unavailable", `${path} was removed while it was made: try again.`);
}

/** A power cut must not leave a key without content. */
function writeWhole(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
