import { addressBytes, isPublicAddress } from "./address.ts";
import { DaybookError, type ErrorCode } from "./errors.ts";

/** A URL that may be requested. `isListed`: an administrator trusts the host, whatever its addresses. */
export interface Permit {
  url: URL;
  isListed: boolean;
  allowedIn: string;
}

/**
 * Throws unless the URL may be requested. The addresses of a name are checked when it is dialled.
 * `allowedIn` is the variable in which an administrator lists hosts.
 */
export function permit(
  text: string,
  allowHosts: readonly string[] = [],
  allowedIn = "DAYBOOK_WEBHOOK_ALLOW",
): Permit {
  const url = URL.parse(text);
  if (url === null) throw refusal("invalid", "The URL is not valid: write a complete https URL.");
  const isListed = hostNames(url).some((name) =>
    allowHosts.some((allowed) => allowed.toLowerCase() === name),
  );
  if (url.username !== "" || url.password !== "") {
    throw refusal("refused", "The URL carries a name or a password: put them in a header.");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    const advice = "begin it with https://, or http:// where an administrator has listed the host";
    throw refusal("refused", `The URL is not a web address: ${advice}.`);
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isListed)) {
    throw refusal(
      "refused",
      `The URL is not https: use https, or ${howToList(url.host, allowedIn)}`,
    );
  }
  // Node does not call the lookup for a host that is an address, so it is checked here.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (addressBytes(host) !== undefined) permitAddress(host, host, { isListed, allowedIn });
  return { url, isListed, allowedIn };
}

export function permitAddress(
  address: string,
  host: string,
  { isListed, allowedIn }: Omit<Permit, "url">,
): void {
  if (isListed || isPublicAddress(address)) return;
  throw refusal("refused", `${host} is not on the public internet: ${howToList(host, allowedIn)}`);
}

/** These frame the message or name its receiver: a caller's value could smuggle a second request. */
const ownHeaders: ReadonlySet<string> = new Set(
  (
    "connection content-length expect host keep-alive proxy-authorization proxy-connection te " +
    "trailer transfer-encoding upgrade"
  ).split(" "),
);

export function permitHeaders(headers: Readonly<Record<string, string>> = {}): void {
  const own = Object.keys(headers).find((name) => ownHeaders.has(name.toLowerCase()));
  if (own !== undefined)
    throw refusal("invalid", `The header ${own} is set by Daybook: leave it out.`);
}

/** The forms in which an administrator may list it: a URL hides the port that its scheme implies. */
function hostNames(url: URL): string[] {
  const port = url.port || (url.protocol === "http:" ? "80" : "443");
  return [url.hostname, `${url.hostname}:${port}`];
}

function howToList(host: string, allowedIn: string): string {
  return `an administrator may list ${host} in ${allowedIn}.`;
}

function refusal(code: ErrorCode, message: string): DaybookError {
  return new DaybookError(code, message, { details: { sent: false } });
}
