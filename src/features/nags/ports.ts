import { port } from "../../kernel/port.ts";
import type { Curve } from "./curve.ts";
import type { Pass } from "./pass.ts";

/** The curves of the settings, by name, beside the built-in ones. */
export const namedCurves = port<Readonly<Record<string, Curve>>>("nags.curves", {});

/** Sends the due nags once, for callers with a cron of their own; undefined where nothing can be sent from. */
export const nagPass = port<Pass | undefined>("nags.pass", undefined);
