import { receiver, type Answer, type Received, type Receiver } from "./receiver.ts";

/** The server's default. */
const messageBytesMax = 4_096;
const bodyBytesMax = 2 * messageBytesMax;
const nameShape = /^[-_A-Za-z0-9]{1,64}$/;

interface Published {
  topic?: unknown;
  message?: unknown;
  title?: unknown;
  priority?: unknown;
  tags?: unknown;
  actions?: unknown;
  sequence_id?: unknown;
}

const known = ["topic", "message", "title", "priority", "tags", "actions", "sequence_id"];

/** A fake ntfy server, stricter than the real one: it refuses unknown fields. */
export function ntfyServer({ token }: { token?: string } = {}): Promise<Receiver> {
  let messages = 0;
  return receiver((request) => {
    const wrong = faultOf(request, token);
    if (wrong !== undefined) return wrong;
    messages += 1;
    const { topic, message } = JSON.parse(request.body.toString()) as Published;
    const id = `ntfy${String(messages).padStart(8, "0")}`;
    return answer(200, { id, time: 1_800_000_000, event: "message", topic, message });
  });
}

function faultOf({ method, path, headers, body }: Received, token?: string): Answer | undefined {
  if (method !== "POST" || path !== "/")
    return answer(404, { code: 40401, error: "page not found" });
  if (token !== undefined && headers["authorization"] !== `Bearer ${token}`) {
    return answer(403, { code: 40301, error: "forbidden" });
  }
  if (body.length > bodyBytesMax) return answer(413, { code: 41303, error: "JSON body too large" });
  const published = JSON.parse(body.toString()) as Published;
  const wrong = wrongField(published);
  return wrong === undefined ? undefined : answer(400, { code: 40000, error: `${wrong} invalid` });
}

function wrongField(published: Published): string | undefined {
  const unknown = Object.keys(published).find((name) => !known.includes(name));
  if (unknown !== undefined) return unknown;
  const { topic, message, title = "", priority, tags = [], actions = [], sequence_id } = published;
  const checks: Record<string, boolean> = {
    topic: typeof topic === "string" && nameShape.test(topic),
    message:
      typeof message === "string" &&
      message !== "" &&
      Buffer.byteLength(message) <= messageBytesMax,
    title: typeof title === "string",
    priority: Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= 5,
    tags: Array.isArray(tags) && tags.every((tag) => typeof tag === "string"),
    actions: Array.isArray(actions) && actions.length <= 3,
    sequence_id: typeof sequence_id === "string" && nameShape.test(sequence_id),
  };
  return Object.entries(checks).find(([, isRight]) => !isRight)?.[0];
}

function answer(status: number, body: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
