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
  /** Names of channels that keep what they are given in the outbox, or channels of your own. */
  channels?: readonly (string | Channel)[];
  /** When the test begins, such as "2026-11-15T09:00[Asia/Seoul]"; always the same moment when absent. */
  now?: string | number | Date;
  /** How times are read and shown; that of `now`, or UTC. */
  timezone?: string;
  language?: Language;
  /** As `open` takes them; schedules are made whenever a node begins. */
  owners?: Settings["owners"];
  schedules?: SchedulesOption;
  handlers?: HandlersOption;
  curves?: CurvesOption;
  /** Real milliseconds that a function or a channel of yours is waited for before time goes on without it. */
  patienceMs?: number;
  onError?: OnError;
}
