import { createHash } from "node:crypto";
import { z } from "zod";
import type { SourceEvent } from "../../features/events/index.ts";
import { isEventType } from "../../features/tasks/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Json, present } from "../../platform/json.ts";
import { validationMessage } from "../../platform/validation-message.ts";
import { instantOf } from "./answers.ts";
import { githubHookEvent } from "./github-event.ts";
import type { Hook, Post } from "./webhook.ts";

/**
 * The event of an authentic request; undefined for a ping. Its name is made of the signed parts, so that a replayed
 * request makes no second event. Under a token nothing is signed: without an id each request is a new event, named by
 * `randomId`.
 */
export function hookEvent(hook: Hook, post: Post, randomId: string): SourceEvent | undefined {
  const event = read(hook, post, randomId);
  const hops = /^\d{1,4}$/.exec(post.headers["daybook-hops"] ?? "")?.[0];
  if (event === undefined || event.hops !== undefined || hops === undefined) return event;
  return { ...event, hops: Number(hops) };
}

function read(hook: Hook, post: Post, randomId: string): SourceEvent | undefined {
  const { headers, now } = post;
  const type = headers["content-type"] ?? "";
  const body = parsed(post.body);
  if (/^application\/cloudevents\+json\s*(;|$)/i.test(type)) return cloudEvent(hook, body, now);
  if (headers["ce-specversion"] !== undefined) {
    return cloudEvent(hook, { ...attributes(hook, post), data: body }, now);
  }
  if (hook.verify === "hub" && headers["x-github-event"] !== undefined) {
    return githubHookEvent(hook.name, {
      what: headers["x-github-event"],
      body,
      now,
      digest: digestOf(post),
    });
  }
  const payload = isPlain(body) ? body : { value: body };
  const { type: given } = payload;
  return {
    name: `evt-${hook.name}-${idOf(hook, post, payload) ?? randomId}`,
    type: typeOf(hook, typeof given === "string" ? given : "received"),
    repo: null,
    payload,
    at: now,
  };
}

const cloudForm = z.looseObject({
  specversion: z.literal("1.0"),
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.string().min(1),
  time: z.iso.datetime({ offset: true }).optional(),
  subject: z.string().optional(),
  data: z.json().optional(),
  daybookhops: z.int().min(0).optional(),
});

function cloudEvent(hook: Hook, given: unknown, now: number): SourceEvent {
  const { data: event, error } = cloudForm.safeParse(given);
  if (event === undefined) {
    const message = `This is not a CloudEvent: ${validationMessage(given, error)}. Send specversion 1.0, id, source and type.`;
    throw new DaybookError("invalid", message);
  }
  const { id, source, type, time, subject, data = null, daybookhops } = event;
  return present({
    name: `evt-${hook.name}-${hash(`${source}\n${id}`)}`,
    type: typeOf(hook, type),
    repo: null,
    payload: present({ id, source, type, subject, time, data }),
    at: Math.max(instantOf(time ?? "") ?? now, 0),
    hops: daybookhops,
  });
}

/** A CloudEvent's attributes in headers, which a signature of the body does not cover. */
function attributes({ verify }: Hook, { headers }: Post): Record<string, string | number> {
  if (verify !== "bearer") {
    const message =
      "The headers of this CloudEvent are not signed: send it as application/cloudevents+json.";
    throw new DaybookError("invalid", message);
  }
  const named = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith("ce-") && value !== undefined ? [[name.slice(3), value] as const] : [],
  );
  const { daybookhops = "", ...rest } = Object.fromEntries(named);
  return /^\d{1,4}$/.test(daybookhops) ? { ...rest, daybookhops: Number(daybookhops) } : rest;
}

/** A hook's types begin with its name, so that it cannot imitate another source. */
function typeOf({ name }: Hook, given: string): string {
  const plain = given.toLowerCase().replaceAll(/[^a-z0-9_.-]+/g, "-");
  const type = plain.startsWith(`${name}.`) ? plain : `${name}.${plain}`;
  return isEventType(type) ? type : `${name}.received`;
}

/** The id of a delivery: what is signed of it, or else a digest of all there is; under a token it may have none. */
function idOf(
  { verify }: Hook,
  post: Post,
  body: { readonly [name: string]: Json },
): string | undefined {
  const { "webhook-id": signed = "", "idempotency-key": key } = post.headers;
  if (verify === "standard") return plainOr(signed);
  const { id } = body;
  const given = typeof id === "string" || typeof id === "number" ? String(id) : undefined;
  const name = verify === "bearer" ? (key ?? given) : given;
  if (name !== undefined && name !== "") return plainOr(name);
  return verify === "bearer" ? undefined : digestOf(post);
}

function plainOr(id: string): string {
  return /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : hash(id);
}

function digestOf({ body }: Post): string {
  return hash(body);
}

function hash(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function isPlain(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const depthMax = 32;

function parsed(body: Uint8Array): Json {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
  } catch {
    // The parser's own words quote the body, which may hold a secret.
    throw new DaybookError("invalid", "The body cannot be read: send JSON in UTF-8.");
  }
  checkDepth(value, depthMax);
  return value;
}

function checkDepth(value: unknown, left: number): void {
  if (typeof value !== "object" || value === null) return;
  if (left === 0)
    throw new DaybookError("invalid", `The body is nested too deeply: ${depthMax} levels at most.`);
  if (Object.hasOwn(value, "__proto__")) {
    throw new DaybookError("invalid", 'The field name "__proto__" is not allowed: leave it out.');
  }
  for (const part of Object.values(value)) checkDepth(part, left - 1);
}
