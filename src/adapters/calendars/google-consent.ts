import type { GoogleClient, GoogleConsent } from "../../features/calendars/index.ts";
import type { GoogleEndpoints } from "./google-endpoints.ts";
import { askTokens, clientIn, type TokenOptions } from "./google-tokens.ts";

export interface ConsentOptions extends Omit<TokenOptions, "url"> {
  readonly endpoints: GoogleEndpoints;
  readonly client?: GoogleClient | undefined;
}

const scopes = {
  events: "https://www.googleapis.com/auth/calendar.events",
  list: "https://www.googleapis.com/auth/calendar.calendarlist.readonly",
};

/** The consent of a person to a program that is installed where they are, with a proof key (RFC 7636). */
export function consentAtGoogle({ endpoints, client, ...options }: ConsentOptions): GoogleConsent {
  return {
    client,
    page({ clientId, redirectUri, state, challenge }) {
      const url = new URL(endpoints.consent);
      const asked = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: Object.values(scopes).join(" "),
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
        // A refresh token, also for a person who has allowed this before.
        access_type: "offline",
        prompt: "consent",
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem({ client: by, code, redirectUri, verifier }, signal) {
      const form = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...clientIn(by),
      };
      const tokens = await askTokens(form, { ...options, url: endpoints.token }, signal);
      const granted = tokens.scope.split(" ").filter((scope) => scope !== "");
      return {
        refreshToken: tokens.refresh_token,
        scopes: granted,
        canWrite: granted.includes(scopes.events),
      };
    },
  };
}
