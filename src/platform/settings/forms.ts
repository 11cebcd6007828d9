import * as z from "zod";

export const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
/** The location of a secret, instead of the secret. */
export const reference = [
  z.strictObject({ env: variable }),
  z.strictObject({ file: z.string().min(1) }),
] as const;

/** A reference has been replaced by its secret when this is read, or the load has failed: then it is empty. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export const secret = z.union([z.string().min(1), ...reference]).transform(textOf);
export const secretForms = "{ env: NAME } or { file: PATH }";

export const language = z.enum(["en", "ko"]);
export const languageForms = '"en" or "ko"';
export const httpUrl = z.url({ protocol: /^https?$/ });
export const urlForm = "a complete http or https URL";

/** The owner of a book. */
export const ownerName = z
  .string()
  .min(1)
  .max(256)
  .refine((name) => !/\p{Cc}/u.test(name));

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `30s`, `5m`, `1h`, `1d` */
export function msOf(length: string): number {
  return Number(length.slice(0, -1)) * (units[length.slice(-1)] ?? 0);
}

/** A base URL as clients take it, who add a slash of their own. */
export const baseUrl = httpUrl.transform((url) => url.replace(/\/+$/, ""));
