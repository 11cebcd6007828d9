import { hookSecret, type Daemon, type Request } from "./daemon.ts";
import { mask, stableJson } from "./snapshot.ts";

/** Requests whose answers OpenAPI does not describe, and one request for each fault that only HTTP has. */
const requests: readonly (readonly [path: string, request?: Request])[] = [
  ["/livez", { token: null }],
  ["/readyz", { token: null }],
  ["/healthz", { token: null }],
  ["/login", { token: null }],
  ["/login?code=wrong", { token: null }],
  ["/login", { method: "POST", body: {} }],
  ["/metrics", { token: null }],
  ["/v1/attach"],
  ["/mcp"],
  ["/mcp?tools=some", { method: "POST", body: {} }],
  ["/mcp", { method: "POST", body: "{" }],
  ["/mcp", { token: null }],
  ["/ping/unknown", { token: null }],
  ["/ping/unknown/start", { token: null }],
  ["/ping/unknown/7", { method: "POST", token: null, body: "the end of its output" }],
  ["/ping/unknown/nonsense", { token: null }],
  ["/callbacks/me/unknown", { method: "POST", token: null, body: {} }],
  ["/hooks/deploys", { method: "POST", token: hookSecret, body: { type: "done", id: "1" } }],
  ["/hooks/deploys", { method: "POST", token: "wrong", body: { type: "done" } }],
  ["/hooks/unknown", { method: "POST", token: null, body: {} }],
  ["/chats/unknown", { method: "POST", token: null, body: {} }],
  ["/api/reminder/register-by-page", { method: "POST", body: { page_id: "p-1", title: "A page" } }],
  ["/api/reminder/register-by-page", { method: "POST", body: {} }],
  ["/api/reminder/register-by-page", { method: "POST", body: { page_id: "p-2", title: 3 } }],
  ["/api/reminder/register-by-page", { method: "POST", token: null, body: { page_id: "p-1" } }],
  ["/api/reminder/register-by-page", { method: "POST", body: { page_id: "unknown" } }],
  ["/api/reminder/register-by-page"],
  ["/api/reminder/schedule/v2", { method: "POST" }],
  ["/api/reminder/schedule/v2?fetch_limit=0"],
  ["/api/reminder/schedule/v2", { method: "DELETE" }],
  ["/api/reminder/schedule/v2", { token: null }],
  ["/api/reminder/unknown"],
  ["/api/v1/workspaces"],
  ["/api/v1/workspaces?limit=101"],
  ["/api/v1/workspaces", { token: null }],
  ["/api/v1/workspaces", { method: "PUT", body: {} }],
  ["/api/v1/workspaces", { method: "POST", body: {} }],
  ["/api/v1/workspaces/unknown"],
  ["/api/v1/workspaces/unknown", { method: "PATCH", body: { desired_state: "GONE" } }],
  ["/api/v1/workspaces/unknown", { method: "PATCH", body: { memo: "a memo" } }],
  ["/api/v1/workspaces/unknown", { method: "DELETE" }],
  ["/api/v1/workspaces/unknown:restore", { method: "POST" }],
  ["/api/v1/workspaces/unknown:stop", { method: "POST" }],
  ["/api/v1/workspaces/unknown/events"],
  ["/api/v1/unknown"],
  ["/unknown"],
  ["/v1/whoami"],
  ["/v1/whoami", { token: null }],
  ["/v1/whoami", { token: "wrong" }],
  ["/v1/whoami", { method: "DELETE" }],
  ["/v1/whoami", { headers: { "daybook-session": "%" } }],
  ["/v1/whoami", { headers: { "sec-fetch-site": "cross-site" } }],
  ["/v1/notifications", { method: "POST", body: {} }],
  ["/v1/notifications", { method: "POST", body: { message: "a", at: "+1d", unknown: 1 } }],
  ["/v1/notifications", { method: "POST", body: { message: "a", at: "some day" } }],
  ["/v1/notifications", { method: "POST", body: "{" }],
  ["/v1/notifications", { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }],
  ["/v1/notifications", { method: "POST", body: { message: "a".repeat(2 ** 20), at: "+1d" } }],
  ["/v1/notifications?limit=0"],
  ["/v1/notifications/unknown"],
];

/** Every request with the status, the content type and the body of its answer. */
export async function answers(daemon: Daemon): Promise<string> {
  const texts: string[] = [];
  for (const [path, request = {}] of requests) {
    const answer = await daemon.fetch(path, request);
    const body = await bodyOf(answer);
    const type = answer.headers.get("content-type") ?? "no content type";
    texts.push(`${title(path, request)}\n${answer.status} ${type}\n${body}`);
  }
  return texts.join("\n\n");
}

function title(path: string, { method = "GET", token, body, headers = {} }: Request): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const who = token === undefined ? [] : [token === null ? "no token" : "another token"];
  const sent = text === undefined ? [] : [text.length > 200 ? "a large body" : text];
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`### ${method} ${path}`, ...who, ...more, ...sent].join(" | ");
}

async function bodyOf(answer: Response): Promise<string> {
  const text = mask(await answer.text()).trimEnd();
  const isJson = /json/.test(answer.headers.get("content-type") ?? "");
  return isJson ? stableJson(JSON.parse(text)).replaceAll(counts, "$1 {n}") : text;
}

/** How far the node has come when it is asked. */
const counts = /("(?:processing_time_ms|processed|planned|said|waiting)":) \d+/g;

/** Headers of the transport or of the moment. */
const passing = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

/** The headers of a plain answer, an answer of an operation and a refusal. */
export async function headers(daemon: Daemon): Promise<string> {
  const texts: string[] = [];
  for (const [path, request] of [
    ["/livez", {}],
    ["/v1/whoami", {}],
    ["/v1/whoami", { token: null }],
    ["/v1/whoami", { method: "DELETE" }],
    ["/v1/attach", {}],
  ] as const) {
    const answer = await daemon.fetch(path, request);
    await answer.body?.cancel();
    const lines = [...answer.headers]
      .filter(([name]) => !passing.has(name))
      .map(([name, value]) => mask(`${name}: ${value}`));
    texts.push([title(path, request), ...lines].join("\n"));
  }
  return texts.join("\n\n");
}

/** Name, type, help and labels of each metric; for a histogram also its buckets. */
export async function metrics(daemon: Daemon): Promise<string> {
  const text = await (await daemon.fetch("/metrics")).text();
  const [, ...families] = text.split(/^# HELP /m);
  return families
    .map((family) => {
      const [help = "", type = "", ...samples] = family.trimEnd().split("\n");
      // Which faults have happened depends on the machine.
      const isFault = help.startsWith("daybook_faults_total ");
      const labels = isFault ? [] : samples.flatMap((each) => each.match(/\w+(?==")/g) ?? []);
      const bounds = samples.flatMap((each) => /le="([^"]+)"/.exec(each)?.[1] ?? []);
      return [
        help,
        type.replace(/^# TYPE \w+ /, "  type: "),
        `  labels: ${[...new Set(labels)].join(", ")}`,
        ...(bounds.length > 0 ? [`  buckets: ${[...new Set(bounds)].join(", ")}`] : []),
      ].join("\n");
    })
    .join("\n");
}
