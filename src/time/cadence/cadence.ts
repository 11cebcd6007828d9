/** When something happens again. Moments are UTC, in milliseconds since 1970. */
export type Cadence =
  | { readonly type: "once"; readonly at: number }
  /** Five fields, or six with the seconds first; a nickname such as @daily stays as it was typed. */
  | { readonly type: "cron"; readonly expression: string; readonly zone: string }
  /** At the anchor and so many whole lengths, one at least: it never drifts. */
  | { readonly type: "interval"; readonly everyMs: number; readonly anchor: number }
  /** The text of an RRULE as RFC 5545 has it, without DTSTART: that is the start. */
  | {
      readonly type: "rrule";
      readonly rule: string;
      readonly start: number;
      readonly zone: string;
    };
