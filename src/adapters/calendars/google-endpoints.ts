/** Where the services of Google are. */
export interface GoogleEndpoints {
  /** The page on which a person allows the access. */
  readonly consent: string;
  readonly token: string;
  /** The Calendar API, with a slash at its end. */
  readonly api: string;
}

const official: GoogleEndpoints = {
  consent: "https://accounts.google.com/o/oauth2/v2/auth",
  token: "https://oauth2.googleapis.com/token",
  api: "https://www.googleapis.com/calendar/v3/",
};

/** Those of Google, or of a server that stands in for it, such as `http://127.0.0.1:8080`. */
export function googleEndpoints(base?: string): GoogleEndpoints {
  if (base === undefined) return official;
  const at = (path: string): string => new URL(path, base).href;
  return { consent: at("/o/oauth2/v2/auth"), token: at("/token"), api: at("/calendar/v3/") };
}
