/** What a workspace is seen as, and what is done with it. */
interface Standing {
  readonly display: string;
  /** NONE: nothing. */
  readonly operation: string;
}

export interface AlwaysTexts {
  kept(about: { name: string; image: string; desired: string }): string;
  keptBefore(about: Standing & { name: string }): string;
  none(): string;
  line(about: Standing & { name: string; image: string; used: string; id: string }): string;
  headline(about: Standing & { name: string; id: string }): string;
  image(about: { image: string; memoryMb: number; cpus: number }): string;
  /** What was asked, or what was chosen since, and why. */
  wanted(about: { desired: string; because: "asked" | "idle" | "slot" }): string;
  unusedSince(when: string): string;
  sleeps(about: { sleep: string; archive: string; wake: string }): string;
  archiveAt(key: string): string;
  /** It cannot be seen: why. */
  unseen(reason: string): string;
  fault(about: { reason: string; message: string; count: number }): string;
  /** Nothing is done with it until somebody does this. */
  recoverAdvice(name: string): string;
  changed(name: string): string;
  sameAsBefore(name: string): string;
  touched(name: string): string;
  goesTo(about: { name: string; desired: string }): string;
  recovered(about: { name: string; display: string }): string;
  deleted(name: string): string;

  /** What would be done next. */
  plan(about: { do: string | null; display: string; desired: string }): string;
  planEnds(): string;
  planBlames(about: { expected: string; actual: string }): string;
  planError(): string;
  seen(about: { machine: string | null; volume: boolean }): string;
  fromTheBook(): string;
  nextLook(when: string): string;
  nextSlot(when: string): string;

  collected(about: { count: number; bytes: number; isApplied: boolean }): string;
  orphan(about: { archive: string; since: string }): string;
  braked(about: { count: number; isForeign: boolean }): string;
}
