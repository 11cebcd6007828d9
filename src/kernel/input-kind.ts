import type * as z from "zod";

/** What a schema is beneath its defaults and options. */
export function bare(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : bare(inner);
}

export function innerOf({ def }: z.ZodType): z.ZodType | undefined {
  const { innerType, in: from } = def as { innerType?: z.ZodType; in?: z.ZodType };
  return innerType ?? from;
}

/** What is no number stays as it is, so that the one check for all faces complains. */
export function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
