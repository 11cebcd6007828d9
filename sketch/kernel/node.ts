import type { Ledger } from "./ledger.ts";
import { port } from "./port.ts";

/** What every node has; `compose` provides it. */
export const ledgerPort = port<Ledger>("kernel.ledger");
export const clockPort = port<{ now(): number }>("kernel.clock");
