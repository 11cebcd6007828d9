import { port } from "../../kernel/port.ts";
import type { Curve } from "./curve.ts";

/** The curves of the settings, by name, beside the built-in ones. */
export const namedCurves = port<Readonly<Record<string, Curve>>>("nags.curves", {});
