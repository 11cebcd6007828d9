import type { Answer, Call } from "../chats/peer.ts";
import type { GoogleOAuth } from "./google-oauth.ts";

const scopeNames: Readonly<Record<string, string>> = {
  "https://www.googleapis.com/auth/calendar.events": "View and edit events on all your calendars",
  "https://www.googleapis.com/auth/calendar.calendarlist.readonly":
    "See the list of Google calendars you’re subscribed to",
};

/** The page on which a person allows what a client asks for, or does not. */
export function consentPage({ query }: Call, oauth: GoogleOAuth): Answer {
  const asked = new URLSearchParams(query);
  const fault = faultOf(asked, oauth);
  if (fault !== undefined) {
    return page(400, `<h1>Access blocked</h1><p>Error 400: ${escape(fault)}</p>`);
  }
  const scopes = (asked.get("scope") ?? "").split(" ");
  const boxes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="granted" value="${escape(scope)}" checked> ${escape(scopeNames[scope] ?? scope)}</label>`,
  );
  const kept = [...asked].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  return page(
    200,
    `<h1>Daybook wants access to your Google Account</h1><p>mina@example.org</p>
<form method="post" action="/consent">${kept.join("\n")}
${boxes.join("<br>\n")}
<p><button name="answer" value="deny">Deny</button> <button name="answer" value="allow">Allow</button></p></form>`,
  );
}

/** Where the browser goes with the person's answer. */
export function consentAnswer({ body }: Call, oauth: GoogleOAuth): Answer {
  const form = new URLSearchParams(body);
  const redirectUri = form.get("redirect_uri") ?? "";
  const target = new URL(redirectUri);
  target.searchParams.set("state", form.get("state") ?? "");
  const granted = form.getAll("granted");
  if (form.get("answer") !== "allow" || granted.length === 0) {
    target.searchParams.set("error", "access_denied");
  } else {
    const challenge = form.get("code_challenge") ?? "";
    const code = oauth.codeFor({ challenge, redirectUri, scopes: granted });
    target.searchParams.set("code", code);
    target.searchParams.set("scope", granted.join(" "));
  }
  return { status: 302, headers: { location: target.href }, body: "" };
}

/** A desktop client may name any port of this machine, and nothing else. */
function faultOf(asked: URLSearchParams, { clientId }: GoogleOAuth): string | undefined {
  const { protocol, hostname } = URL.parse(asked.get("redirect_uri") ?? "") ?? {};
  const isLoopback = hostname === "127.0.0.1" || hostname === "[::1]" || hostname === "localhost";
  if (asked.get("client_id") !== clientId) return "invalid_client";
  if (protocol !== "http:" || !isLoopback) return "redirect_uri_mismatch";
  const wanted = {
    response_type: "code",
    code_challenge_method: "S256",
    access_type: "offline",
    prompt: "consent",
  };
  const wrong = Object.entries(wanted).find(([name, value]) => asked.get(name) !== value);
  if (wrong !== undefined) return `invalid_request: ${wrong[0]}`;
  if (!/^[\w-]{43}$/.test(asked.get("code_challenge") ?? "")) return "invalid_request: challenge";
  if (!asked.get("state") || !asked.get("scope")) return "invalid_request: state, scope";
  const names = [...Object.keys(wanted), "client_id", "redirect_uri", "code_challenge"];
  const known = [...names, "state", "scope"];
  const strange = [...asked.keys()].find((name) => !known.includes(name));
  return strange === undefined ? undefined : `invalid_request: ${strange}`;
}

function page(status: number, content: string): Answer {
  const headers = { "content-type": "text/html; charset=utf-8" };
  return { status, headers, body: `<!doctype html><title>Sign in</title>${content}` };
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
