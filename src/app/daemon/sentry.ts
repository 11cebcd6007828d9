import { DaybookError, hasCode } from "../../platform/errors.ts";
import type { OnError } from "../host.ts";

/** The used part of `@sentry/node`. */
interface Sentry {
  init(options: { dsn: string }): void;
  captureMessage(text: string, context: { level: "error"; extra: object }): void;
}

/** Not a dependency: it is loaded if DAYBOOK_SENTRY_DSN is set. */
const name = "@sentry/node";

/** Reports errors to Sentry, if a DSN is set. Without the package, it warns and the daemon starts all the same. */
export async function optionalSentry(
  dsn: string | undefined,
  warn: (text: string) => void,
): Promise<OnError | undefined> {
  if (!dsn) return undefined;
  try {
    return await sentryReporter(dsn);
  } catch (error) {
    if (!hasCode(error, "unsupported")) throw error;
    warn(error.message);
    return undefined;
  }
}

/** Reports errors to Sentry. */
export async function sentryReporter(
  dsn: string,
  load: () => Promise<unknown> = () => import(name),
): Promise<OnError> {
  let sentry: Sentry;
  try {
    sentry = (await load()) as Sentry;
  } catch (cause) {
    const sentence = `DAYBOOK_SENTRY_DSN is set, but ${name} is not installed, so no error is reported: npm install ${name}, or unset it.`;
    throw new DaybookError("unsupported", sentence, { cause });
  }
  sentry.init({ dsn });
  return (what, facts) => sentry.captureMessage(what, { level: "error", extra: facts });
}
