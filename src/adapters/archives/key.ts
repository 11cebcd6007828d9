import { DaybookError } from "../../platform/errors.ts";

const partForm = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;

/** A key is parts with slashes between: never a path out of the archives, nor a name that begins with a dot. */
export function checkKey(key: string): string {
  if (key.length <= 900 && key.split("/").every((part) => partForm.test(part))) return key;
  const sentence = `${JSON.stringify(key.slice(0, 200))} is not a valid archive key: use letters, digits, dots and dashes, separated by slashes.`;
  throw new DaybookError("invalid", sentence);
}
