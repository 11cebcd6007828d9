/** Something the system does for itself, again and again: forgetting old records, for one. */
export interface ChoreKind {
  body: { name: string; everyMs: number };
  outcome: { did: string; tookMs: number };
  live: "waiting";
  end: "cancelled";
}
