import type { Daemon } from "./daemon.ts";

type Result = Readonly<Record<string, unknown>>;

interface Lists {
  readonly initialize: Result;
  readonly tools: readonly { readonly name: string }[];
}

/** What an agent gets when it connects, and the tools it is offered, exactly as they are sent. */
export async function mcpLists(daemon: Daemon, path: string): Promise<Lists> {
  const headers: Record<string, string> = { accept: "application/json, text/event-stream" };
  const send = async (message: object): Promise<Response> =>
    daemon.fetch(path, { method: "POST", body: { jsonrpc: "2.0", ...message }, headers });
  const clientInfo = { name: "net", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const answer = await send({ id: 1, method: "initialize", params });
  headers["mcp-session-id"] = answer.headers.get("mcp-session-id") ?? "";
  const initialize = await resultIn(answer);
  await (await send({ method: "notifications/initialized" })).body?.cancel();
  const list = await resultIn(await send({ id: 2, method: "tools/list", params: {} }));
  return { initialize, tools: list["tools"] as Lists["tools"] };
}

/** An answer is JSON, or a stream of events with one message. */
async function resultIn(answer: Response): Promise<Result> {
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(data) as { result?: Result };
  if (result === undefined) throw new Error(`MCP answered ${answer.status}: ${text}`);
  return result;
}
