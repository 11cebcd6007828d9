import { createHash } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { oneLine } from "../../platform/text.ts";
import { type Answer, connectAgain, jsonIn, rest, unreadable } from "./google-failure.ts";

/** What a person granted to a client of ours. */
export interface GoogleLogin {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly refreshToken: string;
}

export interface TokenOptions {
  readonly fetch: SafeFetch;
  readonly clock: Pick<Clock, "wall">;
  /** The token endpoint. */
  readonly url: string;
}

/** Access tokens, in memory alone. */
export interface AccessTokens {
  /** One that is valid for a while. */
  get(login: GoogleLogin, signal?: AbortSignal): Promise<string>;
  /** Google has rejected this one. */
  drop(login: GoogleLogin, token: string): void;
}

/** A token is used no more so long before its end. */
const marginMs = 60_000;

const tokenForm = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().default(""),
});
export type Tokens = z.output<typeof tokenForm>;

interface Access {
  readonly token: string;
  readonly until: number;
}

export function accessTokens(options: TokenOptions): AccessTokens {
  const { clock } = options;
  const known = new Map<string, Access>();
  const refreshing = new Map<string, Promise<Access>>();
  const refresh = async (login: GoogleLogin, signal?: AbortSignal): Promise<Access> => {
    const from = clock.wall();
    const form = { grant_type: "refresh_token", refresh_token: login.refreshToken };
    const tokens = await askTokens({ ...form, ...clientIn(login) }, options, signal);
    return { token: tokens.access_token, until: from + tokens.expires_in * 1_000 - marginMs };
  };
  return {
    async get(login, signal) {
      const name = nameOf(login);
      const found = known.get(name);
      if (found !== undefined && clock.wall() < found.until) return found.token;
      const running = refreshing.get(name) ?? refresh(login, signal);
      refreshing.set(name, running);
      try {
        const made = await running;
        known.set(name, made);
        return made.token;
      } finally {
        if (refreshing.get(name) === running) refreshing.delete(name);
      }
    },
    drop(login, token) {
      const name = nameOf(login);
      if (known.get(name)?.token === token) known.delete(name);
    },
  };
}

/** The refresh token itself is no key: a heap dump need not list them all. */
function nameOf({ clientId, refreshToken }: GoogleLogin): string {
  return createHash("sha256").update(`${clientId}\n${refreshToken}`).digest("base64");
}

export function clientIn({
  clientId,
  clientSecret,
}: Pick<GoogleLogin, "clientId" | "clientSecret">): Record<string, string> {
  return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
}

/** Asks the token endpoint; throws what it says is wrong. */
export async function askTokens(
  form: Readonly<Record<string, string>>,
  { fetch, clock, url }: TokenOptions,
  signal?: AbortSignal,
): Promise<Tokens> {
  const answer = await fetch({
    url,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  const { status, body } = answer;
  if (status !== 200) throw tokenFailure(answer, clock.wall());
  const { data } = tokenForm.safeParse(jsonIn(body));
  if (data === undefined) throw unreadable("token");
  return data;
}

const faultForm = z.object({ error: z.string(), error_description: z.string().optional() });

function tokenFailure(answer: Answer, now: number): DaybookError {
  const { status, body } = answer;
  if (status === 429 || status >= 500) return rest(answer, now);
  const { data } = faultForm.safeParse(jsonIn(body));
  const told = oneLine(data?.error_description ?? data?.error ?? `${status}`, 200);
  const reason = told.replace(/\.$/, "");
  const details = { sent: true, status, reason: data?.error ?? "" };
  if (data?.error === "invalid_grant") {
    const sentence = `Google does not accept this login any more (${reason}): ${connectAgain}.`;
    return new DaybookError("refused", sentence, { details });
  }
  const advice = "check the client id and the client secret of your OAuth client";
  const sentence = `Google does not accept this program (${reason}): ${advice}, and ${connectAgain}.`;
  return new DaybookError("refused", sentence, { details });
}
