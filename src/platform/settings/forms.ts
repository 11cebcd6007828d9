import * as z from "zod";

export const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
/** Where a secret is, instead of the secret. */
export const reference = [
  z.strictObject({ env: variable }),
  z.strictObject({ file: z.string().min(1) }),
] as const;

export const secret = z.union([z.string().min(1), ...reference]);
export const secretForms = "{ env: NAME } or { file: PATH }";

export const language = z.enum(["en", "ko"]);
export const languageForms = '"en" or "ko"';
export const httpUrl = z.url({ protocol: /^https?$/ });
export const urlForm = "a whole http or https URL";

/** Who a book belongs to. */
export const ownerName = z
  .string()
  .min(1)
  .max(256)
  .refine((name) => !/\p{Cc}/u.test(name));

/** A reference has been replaced by its secret, or loading has failed before. */
export function textOf(secret: unknown): string {
  return typeof secret === "string" ? secret : "";
}

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
