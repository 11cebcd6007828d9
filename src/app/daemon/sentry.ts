import type * as Package from "@sentry/node";
import { messageOf } from "../../platform/errors.ts";
import { isMissing } from "../../platform/optional-package.ts";
import { version } from "../../platform/version.ts";
import type { OnError } from "../host.ts";

/** The used part of the package. */
type Sentry = Pick<typeof Package, "init" | "captureException">;

const name = "@sentry/node";

/** Reports errors to Sentry, if a DSN is set. Without the package, it warns and the daemon starts all the same. */
export function optionalSentry(
  dsn: string | undefined,
  warn: (text: string) => void,
): OnError | undefined {
  if (!dsn) return undefined;
  const unused = `DAYBOOK_SENTRY_DSN is set, but no error is reported:`;
  if (!isDsn(dsn)) {
    warn(`${unused} it is no DSN. Copy it from the project's settings: https://KEY@HOST/PROJECT.`);
    return undefined;
  }
  if (isMissing(name)) {
    warn(`${unused} ${name} is not installed. Install it (npm install ${name}), or unset it.`);
    return undefined;
  }
  return sentryReporter(dsn, (error) =>
    warn(`${unused} ${name} does not load: ${messageOf(error)}`),
  );
}

function isDsn(dsn: string): boolean {
  const { protocol, username, pathname } = URL.parse(dsn) ?? {};
  return /^https?:$/.test(protocol ?? "") && username !== "" && /\/\d+$/.test(pathname ?? "");
}

/**
 * Reports errors to Sentry. The package is loaded for the first of them: that takes half a second, and most daemons
 * never need it.
 */
export function sentryReporter(
  dsn: string,
  failed: (error: unknown) => void,
  load: () => Promise<Sentry> = () => import("@sentry/node"),
): OnError {
  let loading: Promise<Sentry | undefined> | undefined;
  const report: OnError = (what, facts) => {
    loading ??= started(dsn, load).catch((error: unknown) => {
      failed(error);
      return undefined;
    });
    const { error, ...context } = eventOf(what, facts, report);
    void loading.then((sentry) => sentry?.captureException(error, context));
  };
  return report;
}

async function started(dsn: string, load: () => Promise<Sentry>): Promise<Sentry> {
  const sentry = await load();
  sentry.init({ dsn, ...quiet });
  return sentry;
}

/**
 * Nothing is collected but what is reported: by default, the package adds what was printed, the URLs of requests (a bot's
 * token is part of its URL) and the values of variables to each event.
 */
const quiet = {
  release: `daybook@${version}`,
  defaultIntegrations: false as const,
  maxBreadcrumbs: 0,
  sendClientReports: false,
  // Before version 11, it instruments every module otherwise.
  skipOpenTelemetrySetup: true,
  registerEsmLoaderHooks: false,
};

/** Facts by which events are searched; the others are beside them. */
const tagNames = ["kind", "channel", "doing", "result"] as const;

type Facts = {
  readonly [Name in (typeof tagNames)[number] | "stack" | "reason" | "problem"]?: string;
};

/** The error that an event stands for: named by it, from where it happened, or else from where it was noticed. */
function eventOf(what: string, facts: object, reporter: OnError) {
  const { stack, ...extra } = facts as Facts;
  const error = new Error(extra.reason ?? extra.problem ?? what);
  error.name = what;
  if (stack !== undefined) error.stack = `${what}: ${error.message}\n${stack}`;
  else Error.captureStackTrace(error, reporter);
  const tags = Object.fromEntries(
    tagNames.flatMap((tag) => (extra[tag] === undefined ? [] : [[tag, extra[tag]]])),
  );
  return { error, level: "error" as const, tags, extra };
}
