import type * as z from "zod";
import type { Operation } from "../../kernel/operation.ts";
import { bare } from "../../kernel/schemas.ts";
import { DaybookError } from "../../platform/errors.ts";
import { readJson, reservedName } from "../../platform/http-body.ts";
import { HttpError } from "../../platform/http-error.ts";
import { numberOr } from "../../platform/text.ts";
import { hasInput, type Route } from "./route.ts";

type Input = Record<string, unknown>;

/** The input of a request: from its path, its query or body, and headers that stand for an input. */
export async function readInput(
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Input> {
  const { operation, takesBody } = route;
  const query = new URL(request.url).searchParams;
  if (takesBody && query.size > 0) {
    throw new HttpError(400, "invalid", "Put the input into the JSON body, not after the ?.");
  }
  const { bodyBytesMax } = operation.route;
  const input = takesBody
    ? asInput(await readJson(request, bodyBytesMax))
    : fromQuery(operation, query);
  for (const [name, value] of Object.entries(params)) setInput(operation, input, name, value);
  const key = keyOf(operation, request);
  if (key !== undefined) setInput(operation, input, "key", key);
  const revision = revisionOf(operation, request);
  if (revision !== undefined) setInput(operation, input, "revision", revision);
  const hops = hopsOf(operation, request);
  if (hops !== undefined) setInput(operation, input, "hops", hops);
  return input;
}

function asInput(body: unknown): Input {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new DaybookError("invalid", "The body must be an object with names and values.");
}

/** A query has only texts: each is converted to the type that the operation takes. */
function fromQuery(operation: Operation, query: URLSearchParams): Input {
  const input: Input = {};
  for (const name of new Set(query.keys())) {
    if (name === "__proto__") throw reservedName();
    const known = operation.aliases?.[name] ?? name;
    const schema = hasInput(operation, known)
      ? (operation.input.shape[known] as z.ZodType)
      : undefined;
    input[name] = fromTexts(
      schema === undefined ? "string" : bare(schema).def.type,
      query.getAll(name),
    );
  }
  return input;
}

function fromTexts(kind: string, texts: readonly string[]): unknown {
  if (kind === "array") return texts;
  const [text = ""] = texts;
  if (texts.length > 1) return texts; // the schema refuses more than one
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return kind === "number" ? numberOr(text) : text;
}

/** A value from the path or a header may also be in the body, if it is the same. */
function setInput(operation: Operation, input: Input, name: string, value: string | number): void {
  const { aliases = {} } = operation;
  const names = [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)];
  const given = names.find((each) => Object.hasOwn(input, each));
  if (given === undefined) input[name] = value;
  else if (String(input[given]) !== String(value)) {
    const message = `"${given}" is given twice and differs from the path or header: give it once.`;
    throw new HttpError(400, "invalid", message);
  }
}

function keyOf(operation: Operation, request: Request): string | undefined {
  const header = request.headers.get("idempotency-key");
  if (header === null) return undefined;
  if (!hasInput(operation, "key")) {
    if (operation.effect !== "adds") return undefined; // idempotent in itself
    throw new HttpError(400, "invalid", "This operation takes no key: leave out Idempotency-Key.");
  }
  const key = header.replace(/^"(.*)"$/, "$1"); // the draft has it quoted, most clients do not
  if (key !== "") return key;
  throw new HttpError(400, "invalid", "Idempotency-Key is empty: give it a text, or leave it out.");
}

/** The hops of an event that another event caused, so that a loop through other services is found. */
function hopsOf(operation: Operation, request: Request): number | undefined {
  const header = request.headers.get("daybook-hops");
  if (header === null || !hasInput(operation, "hops")) return undefined;
  if (/^\d{1,6}$/.test(header)) return Number(header);
  throw new HttpError(400, "invalid", "Daybook-Hops must be a whole number, such as 1.");
}

export function isConditional(request: Request): boolean {
  return request.headers.has("if-match");
}

function revisionOf(operation: Operation, request: Request): number | undefined {
  const header = request.headers.get("if-match");
  if (header === null || header === "*" || operation.effect === "none") return undefined;
  if (!hasInput(operation, "revision")) {
    throw new HttpError(400, "invalid", "This operation takes no revision: leave out If-Match.");
  }
  const [, digits] = /^"(\d{1,15})"$/.exec(header) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new HttpError(400, "invalid", 'If-Match must name one revision, such as "7", or be *.');
}
