import { port } from "../../kernel/port.ts";
import type { Numbers } from "./counter.ts";

/** The channels that are set up, by name. */
export const channelNames = port<readonly string[]>("notifications.channels");

/** Whether URLs may be called: any, none, or the function throws for one that would not be called. */
export type CallRule = boolean | ((url: string) => void);
export const callRule = port<CallRule>("notifications.callRule", true);

/** Counts what is named by its day, such as `task-20260207-001`. */
export const dayNumbers = port<Numbers>("notifications.dayNumbers");
