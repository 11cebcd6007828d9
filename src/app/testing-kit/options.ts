import type { HandlersOption } from "../../features/events/index.ts";
import type { CurvesOption } from "../../features/nags/index.ts";
import type { Channel } from "../../features/notifications/index.ts";
import type { SchedulesOption } from "../../features/schedules/index.ts";
import type { TaskDefinition } from "../../features/tasks/index.ts";
import type { Language } from "../../platform/language.ts";
import type { Settings } from "../config/schema.ts";
import type { HostOptions } from "../embed.ts";
import type { OnError } from "../host.ts";

export interface TestOptions extends Pick<HostOptions, "auth" | "basePath"> {
  tasks?: readonly TaskDefinition[];
  /** Names of channels that only write to the outbox, or your own channels. */
  channels?: readonly (string | Channel)[];
  /** The start of the test, such as "2026-11-15T09:00[Asia/Seoul]". Default: always the same moment. */
  now?: string | number | Date;
  /** The time zone of times without one. Default: that of `now`, or UTC. */
  timezone?: string;
  language?: Language;
  /** As for `open`. Schedules are applied whenever a node starts. */
  owners?: Settings["owners"];
  schedules?: SchedulesOption;
  handlers?: HandlersOption;
  curves?: CurvesOption;
  /** How many real milliseconds time waits for your functions and channels. Default: 1000. */
  patienceMs?: number;
  onError?: OnError;
}
