import * as z from "zod";
import { DaybookError } from "../../../platform/errors.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { span } from "../../../time/times.ts";
import { levels } from "../kind.ts";

const length = z.union([z.string(), z.number()]);

export const workspaceId = z.string().min(1).describe("which workspace, by its id or name");

/** How long it stays up unused. */
export const ttlInputs = {
  sleep_after: length
    .optional()
    .describe('unused for so long its machine stops, such as "10m"; its files stay'),
  archive_after: length
    .optional()
    .describe('unused for so long its files go into an archive, such as "3d"'),
  wake_ahead: length
    .optional()
    .describe('so long before a schedule runs in it, it is brought up, such as "2m"'),
};

/** The same in seconds, as the first workspaces were asked for. */
export const ttlAliases = {
  standby_ttl_seconds: "sleep_after",
  archive_ttl_seconds: "archive_after",
  wake_ahead_seconds: "wake_ahead",
} as const;

const request = z.object(ttlInputs);
type TtlInput = z.infer<typeof request>;

export interface Ttls {
  standbyTtlSeconds?: number;
  archiveTtlSeconds?: number;
  wakeAheadSeconds?: number;
}

export function ttlsOf({ sleep_after, archive_after, wake_ahead }: TtlInput): Ttls {
  return {
    ...(sleep_after === undefined ? {} : { standbyTtlSeconds: secondsOf(sleep_after) }),
    ...(archive_after === undefined ? {} : { archiveTtlSeconds: secondsOf(archive_after) }),
    ...(wake_ahead === undefined ? {} : { wakeAheadSeconds: secondsOf(wake_ahead) }),
  };
}

function secondsOf(text: string | number): number {
  const ms = readLength(text);
  if (ms % 1_000 === 0) return ms / 1_000;
  throw new DaybookError("invalid", `${span(ms)} is no number of whole seconds: round it.`);
}

export const levelInput = z.enum(levels);
