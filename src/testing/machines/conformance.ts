import { describe } from "node:test";
import { execCases } from "./exec-cases.ts";
import { foreignCases } from "./foreign-cases.ts";
import { machineCases } from "./machine-cases.ts";
import { restoreCases } from "./restore-cases.ts";
import type { MakeMachines } from "./rig.ts";
import { volumeCases } from "./volume-cases.ts";

/** The contract of every machines adapter. */
export function machinesSuite(name: string, make: MakeMachines): void {
  void describe(`${name} as machines`, () => {
    machineCases(make);
    execCases(make);
    volumeCases(make);
    restoreCases(make);
    foreignCases(make);
  });
}
