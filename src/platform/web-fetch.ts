import type { SafeFetch } from "./fetch.ts";
import { redact } from "./redact.ts";

/** The part of a Response that API clients read. */
type WebAnswer = Pick<
  Response,
  "ok" | "status" | "statusText" | "url" | "headers" | "arrayBuffer" | "json" | "text"
>;

type WebRequest = Pick<RequestInit, "body" | "signal"> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export type WebFetch = (url: string | URL, init?: WebRequest) => Promise<WebAnswer>;

/** Headers that the safe fetch sets itself. */
const ownHeaders: readonly string[] = ["connection", "content-length", "host"];

interface WebFetchOptions {
  /** Secrets, redacted in answers. */
  readonly secrets: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the signal of the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The safe fetch with the signature of the web's `fetch`; bodies are texts. */
export function webFetch(fetch: SafeFetch, options: WebFetchOptions): WebFetch {
  return async (url, { headers = {}, body, signal } = {}) => {
    const plain = Object.entries(headers).filter(
      ([name]) => !ownHeaders.includes(name.toLowerCase()),
    );
    const { status, ...answer } = await fetch({
      url: String(url),
      method: "POST",
      headers: { ...Object.fromEntries(plain), ...options.headers },
      body: typeof body === "string" ? body : undefined,
      signal: options.signal ?? signal ?? undefined,
    });
    const text = redact(new TextDecoder().decode(answer.body), options.secrets);
    return {
      ok: status >= 200 && status < 300,
      status,
      statusText: "",
      url: "",
      headers: new Headers({ ...answer.headers }),
      arrayBuffer: async () => new TextEncoder().encode(text).buffer,
      json: async () => JSON.parse(text) as unknown,
      text: async () => text,
    };
  };
}
