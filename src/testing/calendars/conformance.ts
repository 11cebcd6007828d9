import { describe } from "node:test";
import { changeCases } from "./change-cases.ts";
import { faultCases } from "./fault-cases.ts";
import type { MakeServiceRig } from "./service-rig.ts";
import { writeCases } from "./write-cases.ts";

/** The contract of every `CalendarService`. */
export function calendarServiceSuite(name: string, make: MakeServiceRig): void {
  void describe(`${name} as a calendar service`, () => {
    writeCases(make);
    changeCases(make);
    faultCases(make);
  });
}
