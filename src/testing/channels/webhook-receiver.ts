import { createHmac, timingSafeEqual } from "node:crypto";
import { receiver, type Answer, type Received, type Receiver } from "./receiver.ts";

const toleranceSeconds = 300;

/**
 * A receiver of Standard Webhooks, written from the specification: it shares no
 * code with the sender. It answers 400 or 401 with the reason, else 200 with a new id.
 */
export function webhookReceiver(options: {
  secret: string;
  /** UTC epoch milliseconds. */
  now(): number;
}): Promise<Receiver> {
  const taken = new Set<string>();
  return receiver((request) => {
    const fault = faultOf(request, options);
    if (fault !== undefined) return fault;
    const id = request.headers["webhook-id"] ?? "";
    const isNew = !taken.has(id);
    taken.add(id);
    return json(200, { id: `taken-${taken.size}`, isNew });
  });
}

function faultOf(
  { method, headers, body }: Received,
  options: { secret: string; now(): number },
): Answer | undefined {
  if (method !== "POST") return json(400, { error: "not a POST" });
  if (headers["content-type"] !== "application/json") return json(400, { error: "not JSON" });
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signed } = headers;
  if (!id || id.includes(".") || !at || !/^\d+$/.test(at) || !signed) {
    return json(400, { error: "a header is missing or malformed" });
  }
  if (Math.abs(options.now() / 1_000 - Number(at)) > toleranceSeconds) {
    return json(400, { error: "too old or too new" });
  }
  const key = Buffer.from(options.secret.slice("whsec_".length), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest();
  const isSigned = signed.split(" ").some((each) => {
    const [version, signature = ""] = each.split(",");
    const bytes = Buffer.from(signature, "base64");
    return version === "v1" && bytes.length === hmac.length && timingSafeEqual(bytes, hmac);
  });
  if (!isSigned) return json(401, { error: "the signature is wrong" });
  return isPayload(body, id) ? undefined : json(400, { error: "the payload is malformed" });
}

function isPayload(body: Buffer, id: string): boolean {
  const { type, timestamp, data } = JSON.parse(body.toString()) as Record<string, unknown>;
  const isoTime = typeof timestamp === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(timestamp);
  if (type === "daybook.change") return isoTime && isChange(data as Record<string, unknown>);
  return type === "notification" && isoTime && (data as { id?: unknown } | undefined)?.id === id;
}

function isChange({ kind, id, state, seq, at }: Record<string, unknown>): boolean {
  return [kind, id, state, at].every((each) => typeof each === "string") && Number.isInteger(seq);
}

function json(status: number, body: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
