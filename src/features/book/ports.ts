import { port } from "../../kernel/port.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Hold } from "../notifications/index.ts";

/** Simulates an owner's book between two times. */
export type Simulate = (
  owner: string,
  span: { now: number; from: number; to: number; profile: Profile; limit: number },
) => Promise<{ lines: readonly Foreseen[]; isCut: boolean }>;

/** One send or run that would happen. */
export interface Foreseen {
  readonly at: number;
  readonly what: "say" | "run";
  readonly text: string;
  readonly target: string;
  /** The id of the schedule, the nag or the notification. */
  readonly id: string;
  /** What held it back until then, if anything did. */
  readonly hold?: Hold | undefined;
  /** The hours of its day, if the clocks change on that day. */
  readonly dayHours: number | null;
}

/** Undefined where simulation is not available. */
export const simulation = port<Simulate | undefined>("book.simulation", undefined);
