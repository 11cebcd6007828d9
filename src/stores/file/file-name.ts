import { createHash } from "node:crypto";

const safe = /^[a-z0-9-][a-z0-9_-]{0,63}$/;
/** Names that are devices on Windows, whatever follows the dot. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Ids are any text. One that is no safe name is called by what is safe in it and by its hash: no safe
 * name has a tilde, and no two texts have one name, on a disk that folds case either.
 */
export function fileName(text: string): string {
  if (safe.test(text) && !device.test(text)) return text;
  const whole = JSON.stringify(text); // also tells apart what is no character
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 24);
  const readable = text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-");
  return `${/^[a-z0-9]/.test(readable) ? readable : `_${readable}`}~${hash}`;
}
