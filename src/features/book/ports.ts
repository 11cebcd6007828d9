import { port } from "../../kernel/port.ts";
import type { Profile } from "../../kernel/profile.ts";

/** What would happen in an owner's book between two times, as it stands now. */
export type Simulate = (
  owner: string,
  span: { now: number; from: number; to: number; profile: Profile; limit: number },
) => Promise<{ lines: readonly Foreseen[]; isCut: boolean }>;

/** One thing that would happen. */
export interface Foreseen {
  readonly at: number;
  readonly what: "say" | "run";
  readonly text: string;
  readonly target: string;
  /** Of the schedule, the nag or the message, as it is in the book. */
  readonly id: string;
  /** Hours of the day it falls on, where the clocks change. */
  readonly dayHours: number | null;
}

/** Undefined where that cannot be done. */
export const simulation = port<Simulate | undefined>("book.simulation", undefined);
