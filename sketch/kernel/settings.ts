import type * as z from "zod";
import { port, type Port } from "./port.ts";

/** One section of `daybook.yaml`: a schema that transforms to what the program uses. A port, read at each use. */
export interface SettingsPort<T = unknown> extends Port<() => T> {
  readonly section: string;
  readonly schema: z.ZodType<T>;
}

export function settings<T>(
  feature: string,
  section: string,
  schema: z.ZodType<T>,
): SettingsPort<T> {
  return { ...port<() => T>(`${feature}.settings`), section, schema };
}
