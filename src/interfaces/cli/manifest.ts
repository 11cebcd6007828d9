import type { CommandEntry } from "./command.ts";
import { flagOf, type Input } from "./inputs.ts";
import packed from "./manifest.json" with { type: "json" };

/** An entry as stored: without the defaults of inputs. */
export interface PackedEntry extends Omit<CommandEntry, "inputs"> {
  readonly inputs: readonly (Pick<Input, "name" | "summary"> & Partial<Input>)[];
}

const defaults = { isRequired: false, kind: "text", values: [], aliases: [] } as const;

/** Every command, from the committed file: no operation and no schema is loaded. */
export const manifest: readonly CommandEntry[] = unpack(packed as readonly PackedEntry[]); // `npm run manifest` wrote it

export function unpack(entries: readonly PackedEntry[]): readonly CommandEntry[] {
  return entries.map((entry) => ({
    ...entry,
    inputs: entry.inputs.map((each) => ({ ...defaults, label: flagOf(each.name), ...each })),
  }));
}

export function pack(entries: readonly CommandEntry[]): readonly PackedEntry[] {
  return entries.map((entry) => ({
    ...entry,
    inputs: entry.inputs.map((each) => {
      const { name, label, isRequired, kind, values, aliases, ...rest } = each;
      return {
        name,
        ...(label !== flagOf(name) && { label }),
        ...rest,
        ...(isRequired && { isRequired }),
        ...(kind !== defaults.kind && { kind }),
        ...(values.length > 0 && { values }),
        ...(aliases.length > 0 && { aliases }),
      };
    }),
  }));
}
