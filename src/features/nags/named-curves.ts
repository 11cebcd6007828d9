import type { Context } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { quote } from "../../platform/text.ts";
import { builtInCurves, type Curve } from "./curve.ts";
import { namedCurves } from "./ports.ts";

/** The curve of a request that names none. */
export const defaultCurve = "otu";

/** The curve with this name. The settings override built-in curves. */
export function curveNamed(name: string, context: Context): Curve {
  const all: Readonly<Record<string, Curve>> = { ...builtInCurves, ...context.use(namedCurves) };
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(all);
  const meant = nearest(name, names);
  const advice =
    meant === undefined ? `choose one of ${names.join(", ")}.` : `did you mean "${meant}"?`;
  throw new DaybookError("invalid", `Unknown curve ${quote(name)}: ${advice}`, {
    details: { curves: names },
  });
}
