import { ids } from "../platform/ids.ts";
import type { Context } from "./operation.ts";

/** The id of a record that an operation names before the store has written it. */
export function newId({ now, randomBytes }: Pick<Context, "now" | "randomBytes">): string {
  const bits = (): number => Buffer.from(randomBytes(4)).readUInt32BE();
  return ids({ wall: now }, { bits })();
}
