import { receiver, type Answer, type Received, type Receiver } from "../channels/receiver.ts";

/** The model's answer in a turn: a text, or tool calls. */
export interface Reply {
  readonly text?: string;
  /** A text as `input` is sent unchanged: a model may write invalid JSON. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  /** Default: 100 input and 10 output tokens; null: the server omits it. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
  /** Default: by the kind of reply. */
  readonly finish?: string;
}

export interface OpenAiServer extends Receiver {
  /** What `agentModel` takes. */
  readonly baseUrl: string;
  /** Sets the answers of the next turns, one each; later ones are the text "done". */
  say(...replies: readonly Reply[]): void;
  /** The requests so far. */
  asked(): readonly Question[];
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly max_tokens?: number;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/**
 * A fake server of chat completions, stricter than a real one: it refuses unknown fields, tools without a
 * valid name, and tool calls without a result in the next request.
 */
export async function openAiServer({ key }: { key: string }): Promise<OpenAiServer> {
  const replies: Reply[] = [];
  let turns = 0;
  const server = await receiver((request) => {
    const wrong = faultOf(request, key);
    if (wrong !== undefined) return wrong;
    turns += 1;
    return completion(turns, replies.shift() ?? { text: "done" });
  });
  return {
    ...server,
    baseUrl: `${server.url}v1`,
    say: (...given) => void replies.push(...given),
    asked: () => server.accepted.map(({ body }) => JSON.parse(body.toString()) as Question),
  };
}

function completion(turn: number, { text, calls = [], usage, finish }: Reply): Answer {
  const { input, output } = usage ?? { input: 100, output: 10 };
  const tool_calls = calls.map(({ name, input }, at) => ({
    id: `call-${turn}-${at}`,
    type: "function",
    function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
  const message = {
    role: "assistant",
    content: text ?? null,
    ...(calls.length === 0 ? {} : { tool_calls }),
  };
  const finish_reason = finish ?? (calls.length === 0 ? "stop" : "tool_calls");
  const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return json(200, {
    id: `chat-${turn}`,
    object: "chat.completion",
    created: 1_800_000_000,
    model: "fake",
    choices: [{ index: 0, message, finish_reason }],
    ...(usage === null ? {} : { usage: tokens }),
  });
}

const known = ["model", "messages", "max_tokens", "tools", "tool_choice"];
const roles = ["system", "user", "assistant", "tool"];

function faultOf({ method, path, headers, body }: Received, key: string): Answer | undefined {
  if (method !== "POST" || path !== "/v1/chat/completions") return refusal(404, `no ${path}`);
  if (headers["authorization"] !== `Bearer ${key}`) {
    return refusal(401, `Incorrect API key provided: ${headers["authorization"]}`);
  }
  if (headers["content-type"] !== "application/json") return refusal(400, "not JSON");
  const question = JSON.parse(body.toString()) as Question;
  const unknown = Object.keys(question).find((name) => !known.includes(name));
  if (unknown !== undefined) return refusal(400, `Unrecognized request argument: ${unknown}`);
  const wrong = wrongIn(question);
  return wrong === undefined ? undefined : refusal(400, `Invalid value: ${wrong}`);
}

function wrongIn({ model, messages, max_tokens = 1, tools = [] }: Question): string | undefined {
  if (model !== "fake") return "model";
  if (!Number.isInteger(max_tokens) || max_tokens < 1 || max_tokens > 4_096) return "max_tokens";
  const isNamed = tools.every(({ function: { name } }) => /^[\w-]{1,64}$/.test(name));
  if (!isNamed) return "tools";
  if (messages.length === 0 || !messages.every(({ role }) => roles.includes(role)))
    return "messages";
  return areAnswered(messages) ? undefined : "a tool call is not answered";
}

function areAnswered(messages: readonly Message[]): boolean {
  const open = new Set<string>();
  for (const { role, tool_call_id = "", tool_calls = [] } of messages) {
    if (role === "tool" ? !open.delete(tool_call_id) : open.size > 0) return false;
    for (const { id } of tool_calls) open.add(id);
  }
  return open.size === 0;
}

function refusal(status: number, message: string): Answer {
  return json(status, { error: { message, type: "invalid_request_error", code: null } });
}

function json(status: number, body: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
