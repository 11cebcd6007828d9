import * as z from "zod";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { span } from "../../../time/times.ts";
import { levels, type WorkspaceKind } from "../kind.ts";

const length = z.union([z.string(), z.number()]);

export const workspaceId = z.string().min(1).describe("the id or name of the workspace");

/** When an idle workspace sleeps and is archived, and when a slot wakes it. */
export const ttlInputs = {
  sleep_after: length
    .optional()
    .describe('how long it may be idle before its machine stops, such as "10m"; its files stay'),
  archive_after: length
    .optional()
    .describe('how long it may be idle before its files are archived, such as "3d"'),
  wake_ahead: length
    .optional()
    .describe('how long before a schedule runs in it the workspace is started, such as "2m"'),
};

/** The same in seconds, the names of the first version. */
export const ttlAliases = {
  standby_ttl_seconds: "sleep_after",
  archive_ttl_seconds: "archive_after",
  wake_ahead_seconds: "wake_ahead",
} as const;

type Length = z.infer<typeof length>;
type TtlInput = Partial<Record<keyof typeof ttlInputs, Length | undefined>>;
type Ttls = Partial<
  Pick<WorkspaceKind["body"], "standbyTtlSeconds" | "archiveTtlSeconds" | "wakeAheadSeconds">
>;

export function ttlsOf({ sleep_after, archive_after, wake_ahead }: TtlInput): Ttls {
  return present({
    standbyTtlSeconds: secondsOf(sleep_after),
    archiveTtlSeconds: secondsOf(archive_after),
    wakeAheadSeconds: secondsOf(wake_ahead),
  });
}

function secondsOf(text: Length | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = readLength(text);
  if (ms % 1_000 === 0) return ms / 1_000;
  throw new DaybookError("invalid", `${span(ms)} is not a whole number of seconds: round it.`);
}

export const levelInput = z.enum(levels);
