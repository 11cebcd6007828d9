import { lastBytes } from "./byte-stream.ts";
import { HttpError } from "./http-error.ts";
import { jsonDepthMax } from "./json.ts";

export const bodyBytesMax = 256 * 1024;

/** The whole body, as long as it is short enough. */
export async function readBytes(
  request: Request,
  bytesMax = bodyBytesMax,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The end of a long body; the rest is not held in memory. */
export async function readTail(
  request: Request,
  { keepBytes, bytesMax }: { keepBytes: number; bytesMax: number },
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const last = lastBytes(keepBytes);
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    last.add(chunk);
  }
  return last.all().tail;
}

/** A JSON body; an empty one is an empty input. */
export async function readJson(request: Request, bytesMax?: number): Promise<unknown> {
  const bytes = await readBytes(request, bytesMax);
  if (bytes.length === 0) return {};
  if (!isJson(request.headers)) {
    throw new HttpError(415, "invalid", "Send the header Content-Type: application/json.");
  }
  return parseJson(bytes);
}

/**
 * A page of another site can make a browser send JSON under the type of a form, with our cookie; so such a body counts
 * as JSON only beside a token in the header. No page can add that header, as we answer no preflight request, and no
 * browser adds it by itself as it does a cookie or a password. It is for `curl -d`, which calls every body a form.
 */
function isJson(headers: Headers): boolean {
  const type = headers.get("content-type") ?? "";
  if (/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return true;
  const isUnnamed = type === "" || /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
  return isUnnamed && /^Bearer +\S/i.test(headers.get("authorization") ?? "");
}

/** Parses untrusted JSON: no deep nesting, and no `__proto__`. */
export function parseJson(bytes: Uint8Array): unknown {
  const value = parsed(bytes);
  checkShape(value, jsonDepthMax);
  return value;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    throw new HttpError(400, "invalid", "The body cannot be read: send JSON in UTF-8.");
  }
}

function checkShape(value: unknown, depthLeft: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depthLeft === 0) {
    throw new HttpError(
      400,
      "invalid",
      `The body is nested too deeply: ${jsonDepthMax} levels at most.`,
    );
  }
  if (Object.hasOwn(value, "__proto__")) throw reservedName();
  for (const part of Object.values(value)) checkShape(part, depthLeft - 1);
}

export function reservedName(): HttpError {
  return new HttpError(400, "invalid", 'No input is called "__proto__": leave it out.');
}

function tooLarge(bytesMax: number): HttpError {
  const message = `The body is too large: ${bytesMax} bytes at most.`;
  // The rest of it is not read, so the connection cannot be used again.
  return new HttpError(413, "too_large", message, { connection: "close" });
}
