import type * as z from "zod";
import type { Operation } from "../operations/operation.ts";

/** One thing an operation takes, as it is typed. */
export interface Input {
  readonly name: string;
  /** `MESSAGE` when it stands alone, `--at` when it has a flag. */
  readonly label: string;
  readonly words: string;
  readonly isRequired: boolean;
  /** A flag that stands alone. */
  readonly isSwitch: boolean;
}

export function inputsOf({ input, command }: Operation): readonly Input[] {
  return Object.entries(input.shape).map(([name, type]) => {
    const schema = type as z.ZodType;
    return {
      name,
      label: command.positionals.includes(name) ? name.toUpperCase() : `--${name}`,
      words: schema.description ?? "",
      isRequired: !schema.safeParse(undefined).success,
      isSwitch: isBoolean(schema),
    };
  });
}

function isBoolean({ def }: z.ZodType): boolean {
  if (def.type === "boolean") return true;
  return "innerType" in def ? isBoolean(def.innerType as z.ZodType) : false;
}
