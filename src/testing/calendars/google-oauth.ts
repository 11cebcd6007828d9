import { createHash, randomBytes } from "node:crypto";
import { json, type Answer, type Call } from "../chats/peer.ts";
import { GoogleComplaint } from "./google-errors.ts";

/** The OAuth client that the tests have registered, and what was granted to it. */
export interface GoogleGrants {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A refresh token for these scopes, as after a consent. */
  grant(scopes?: readonly string[]): string;
  /** The person withdraws the consent: refresh tokens and access tokens are rejected. */
  revoke(): void;
  /** Access tokens that were given until now are rejected. */
  expireAccess(): void;
  /** The next consents are given without a refresh token. */
  withoutRefresh: boolean;
  /** The scopes of an access token; undefined when it is not valid. */
  scopesOf(token: string): readonly string[] | undefined;
  readonly refreshes: number;
  /** The refresh tokens that are valid. */
  refreshTokens(): readonly string[];
}

export const eventsScope = "https://www.googleapis.com/auth/calendar.events";
export const listScope = "https://www.googleapis.com/auth/calendar.calendarlist.readonly";
export const fullScope = "https://www.googleapis.com/auth/calendar";

const accessMs = 3_599_000;
const codeMs = 600_000;

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly until: number;
}

export interface GoogleOAuth extends GoogleGrants {
  /** A code for a consent that was given. */
  codeFor(code: Omit<Code, "until">): string;
  /** The token endpoint. */
  token(call: Call): Answer;
}

export function googleOAuth(now: () => number): GoogleOAuth {
  const codes = new Map<string, Code>();
  const refresh = new Map<string, readonly string[]>();
  const access = new Map<string, { scopes: readonly string[]; until: number }>();
  const counts = { refreshes: 0 };
  const random = (prefix: string): string => prefix + randomBytes(24).toString("base64url");
  const accessFor = (scopes: readonly string[]): object => {
    const token = random("ya29.");
    access.set(token, { scopes, until: now() + accessMs });
    const seconds = accessMs / 1_000;
    return {
      access_token: token,
      expires_in: seconds,
      scope: scopes.join(" "),
      token_type: "Bearer",
    };
  };
  const oauth: GoogleOAuth = {
    clientId: "1234-daybook.apps.googleusercontent.com",
    clientSecret: "GOCSPX-not-so-secret",
    withoutRefresh: false,
    get refreshes() {
      return counts.refreshes;
    },
    grant(scopes = [eventsScope, listScope]) {
      const token = random("1//0");
      refresh.set(token, scopes);
      return token;
    },
    revoke() {
      refresh.clear();
      access.clear();
    },
    refreshTokens: () => [...refresh.keys()],
    expireAccess: () => access.clear(),
    scopesOf(token) {
      const found = access.get(token);
      return found !== undefined && now() < found.until ? found.scopes : undefined;
    },
    codeFor(code) {
      const name = random("4/0");
      codes.set(name, { ...code, until: now() + codeMs });
      return name;
    },
    token(call) {
      const form = formOf(call);
      const isKnown =
        form["client_id"] === oauth.clientId && form["client_secret"] === oauth.clientSecret;
      if (!isKnown) return failure(401, "invalid_client", "The OAuth client was not found.");
      return form["grant_type"] === "refresh_token" ? refreshed(form) : redeemed(form);
    },
  };
  const refreshed = (form: Form): Answer => {
    counts.refreshes += 1;
    const scopes = refresh.get(form["refresh_token"] ?? "");
    return scopes === undefined
      ? failure(400, "invalid_grant", "Token has been expired or revoked.")
      : json(200, accessFor(scopes));
  };
  const redeemed = (form: Form): Answer => {
    const code = codes.get(form["code"] ?? "");
    codes.delete(form["code"] ?? "");
    if (code === undefined) return failure(400, "invalid_grant", "Malformed auth code.");
    const { scopes } = code;
    const kept = oauth.withoutRefresh ? {} : { refresh_token: oauth.grant(scopes) };
    return faultOf(code, form, now()) ?? json(200, { ...accessFor(scopes), ...kept });
  };
  return oauth;
}

type Form = Readonly<Record<string, string | undefined>>;

const fields = {
  authorization_code: [
    "client_id",
    "client_secret",
    "code",
    "code_verifier",
    "grant_type",
    "redirect_uri",
  ],
  refresh_token: ["client_id", "client_secret", "grant_type", "refresh_token"],
};

function formOf({ headers, body, verb }: Call): Form {
  if (verb !== "POST") throw new GoogleComplaint(`${verb} at the token endpoint`);
  if (headers["content-type"] !== "application/x-www-form-urlencoded") {
    throw new GoogleComplaint(`a token request as ${headers["content-type"]}`);
  }
  const form: Form = Object.fromEntries(new URLSearchParams(body));
  const wanted = fields[form["grant_type"] as keyof typeof fields];
  if (Object.keys(form).toSorted().join() !== wanted?.join()) {
    throw new GoogleComplaint(`a token request with ${Object.keys(form).join()}`);
  }
  return form;
}

function faultOf(code: Code, form: Form, now: number): Answer | undefined {
  if (now >= code.until) return failure(400, "invalid_grant", "Code was already redeemed.");
  if (form["redirect_uri"] !== code.redirectUri) {
    return failure(400, "redirect_uri_mismatch", "Bad Request");
  }
  const verifier = form["code_verifier"] ?? "";
  if (!/^[\w.~-]{43,128}$/.test(verifier)) {
    throw new GoogleComplaint("a code verifier of another form");
  }
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return challenge === code.challenge
    ? undefined
    : failure(400, "invalid_grant", "Invalid code verifier.");
}

function failure(status: number, error: string, description?: string): Answer {
  return json(status, { error, ...(description && { error_description: description }) });
}
