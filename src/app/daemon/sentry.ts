import { DaybookError } from "../../platform/errors.ts";
import type { OnError } from "../host.ts";

/** The used part of `@sentry/node`. */
interface Sentry {
  init(options: { dsn: string }): void;
  captureMessage(text: string, context: { level: "error"; extra: object }): void;
}

/** Not a dependency: it is loaded if DAYBOOK_SENTRY_DSN is set. */
const name = "@sentry/node";

/** Reports errors to Sentry. */
export async function sentryReporter(
  dsn: string,
  load: () => Promise<unknown> = () => import(name),
): Promise<OnError> {
  let sentry: Sentry;
  try {
    sentry = (await load()) as Sentry;
  } catch (cause) {
    const sentence = `DAYBOOK_SENTRY_DSN is set, but ${name} is not installed: npm install ${name}, or unset it.`;
    throw new DaybookError("unsupported", sentence, { cause });
  }
  sentry.init({ dsn });
  return (what, facts) => sentry.captureMessage(what, { level: "error", extra: facts });
}
