import { port } from "../../kernel/port.ts";
import type { Curve } from "./curve.ts";

/** Curves of the settings, by name, beside those that are built in. */
export const namedCurves = port<Readonly<Record<string, Curve>>>("nags.curves", {});
