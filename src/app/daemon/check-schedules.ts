import { applyDeclared } from "../../features/schedules/index.ts";
import { hasCode, messageOf } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { refusal } from "../config/check.ts";
import type { Config } from "../config/config.ts";
import { withHost } from "./book.ts";

/**
 * Throws what `daybook schedule apply` would refuse, as far as the settings alone show it: they are applied to an empty book.
 * Targets in the real book, such as webhooks, are not checked.
 */
export async function checkSchedules(config: Config, platform: PlatformPorts): Promise<void> {
  const schedules = Object.fromEntries(
    Object.entries(config.schedules).map(([key, { target, ...one }]) => {
      const isInBook = target === undefined || target.startsWith("webhook:");
      return [key, isInBook ? one : { ...one, target }];
    }),
  );
  const empty: Config = { ...config, schedules, store: { kind: "memory" } };
  await withHost(empty, platform, (host) => applyDeclared(host, true)).catch((error: unknown) => {
    throw hasCode(error, "bug") ? error : refusal(messageOf(error).split("\n"));
  });
}
