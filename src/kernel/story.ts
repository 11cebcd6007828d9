import * as z from "zod";

/** What `explain` shows of a record of any kind. */
export const standing = {
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  ended_at: z.string().nullable(),
};

/** One change in a record's history. */
export const changeView = z.object({
  what: z.enum(["appended", "edited", "kept", "lapsed", "settled", "cancelling", "cancelled"]),
  at: z.string(),
  by: z.string(),
  state: z.string(),
  attempt: z.number(),
  claimed_at: z.string().nullable(),
  note: z.string().nullable(),
  by_run: z.boolean().describe("a run of the schedule was counted: nobody changed it"),
});
export type ChangeView = z.infer<typeof changeView>;

/** What a record that has not ended waits for. */
export const waitsView = z.object({
  at: z.string().nullable().describe("when it is looked at next"),
  holder: z.string().nullable().describe("who is, or was last, at work on it"),
  parked: z.boolean().describe("others to the same place come first"),
  listener: z.boolean().describe("it is said when somebody listens"),
  cancelling: z.boolean(),
});
export type Waits = z.infer<typeof waitsView>;

/** The record that caused another. The part of its kind adds what it shows of it, under its own key. */
export const causeStanding = { id: z.string(), kind: z.string(), state: z.string() };
export type CauseStanding = z.infer<z.ZodObject<typeof causeStanding>>;

/** The answer of `explain`, without what the parts of the features add. */
export type Story = z.infer<z.ZodObject<typeof standing>> & {
  readonly because: readonly CauseStanding[];
  readonly history: readonly ChangeView[];
  readonly waits: Waits | null;
};
