import type { Language } from "../platform/language.ts";

/** An owner's zone, language and targets: their own settings over the installation's. */
export interface Profile {
  readonly zone: string;
  /** The source of the zone. */
  readonly zoneFrom: "profile" | "setting" | "host";
  readonly language: Language;
  readonly home: string | null;
  /** From one time of day to another. */
  readonly quiet: { readonly from: string; readonly to: string } | null;
}
