import * as z from "zod";
import { HttpError } from "../../platform/http-error.ts";

const ttl = z.number().int().min(1).optional();
const changes = {
  description: z.string().nullish(),
  memo: z.string().nullish(),
  standby_ttl_seconds: ttl,
  archive_ttl_seconds: ttl,
};

export const newWorkspace = z.strictObject({
  name: z.string().min(1),
  ...changes,
  image_ref: z.string().min(1).optional(),
});

export const workspaceChanges = z.strictObject({
  name: z.string().min(1).optional(),
  ...changes,
  desired_state: z.enum(["PENDING", "STANDBY", "RUNNING"]).optional(),
});

/** Parses a body, without absent values. */
export function parseBody(shape: z.ZodObject, body: unknown): Record<string, unknown> {
  const { success, data, error } = shape.safeParse(body);
  if (success) {
    return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  }
  const [issue] = error.issues;
  const name = issue?.path.join(".") ?? "";
  const names = Object.keys(shape.shape).join(", ");
  const subject = name === "" ? "The body" : `"${name}"`;
  throw new HttpError(400, "invalid", `${subject} is wrong: send an object with some of ${names}.`);
}

const limitMax = 100;
const limitDefault = 50;

export function pageOf(url: string): { limit: number; offset: number } {
  const query = new URL(url).searchParams;
  const limit = wholeNumber(query, "limit", limitDefault);
  const offset = wholeNumber(query, "offset", 0);
  if (limit >= 1 && limit <= limitMax) return { limit, offset };
  throw new HttpError(400, "invalid", `"limit" must be a whole number from 1 to ${limitMax}.`);
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new HttpError(400, "invalid", `"${name}" must be a whole number.`);
}
