import type { Language } from "../platform/language.ts";

/** How an owner reads and where they are reached: their own settings over the installation's. */
export interface Profile {
  readonly zone: string;
  /** Whose setting the zone is. */
  readonly zoneFrom: "profile" | "setting" | "host";
  readonly language: Language;
  readonly home: string | null;
  /** From one time of day to another. */
  readonly quiet: { readonly from: string; readonly to: string } | null;
}
