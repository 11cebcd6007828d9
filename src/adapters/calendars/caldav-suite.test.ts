import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CalendarService } from "../../features/calendars/service.ts";
import { caldavRig } from "../../testing/calendars/caldav-rig.ts";
import { radicale } from "../../testing/calendars/radicale.ts";
import type { CalendarRig } from "../../testing/calendars/rig.ts";
import type { ServiceRig } from "../../testing/calendars/service-rig.ts";
import { calendarSuite } from "../../testing/calendars/suite.ts";
import { xandikos } from "../../testing/calendars/xandikos.ts";
import { isFullDepth } from "../../testing/depth.ts";

/** A real server commits each write to its disk: a sample is a fifth. */
const notifications = isFullDepth ? 500 : 100;
/** Beside the faults of the suite, the line loses the answer to each so many writes. */
const lossEvery = 17;

for (const [name, start] of Object.entries({ Radicale: radicale, Xandikos: xandikos })) {
  const server = await start();
  if ("missing" in server) {
    void test(`the reconciler on ${name}`, { skip: server.missing }, () => undefined);
    continue;
  }
  const rig = await caldavRig(server);
  after(() => rig.close?.());
  const lossy: CalendarRig = { name: rig.name, make: async () => losing(await rig.make()) };
  calendarSuite(lossy, { notifications });
  void test(`the line to ${name} lost answers`, () => assert.ok(rig.lost() > 0));
}

/** The server does the write, and its answer never arrives. */
function losing(rig: ServiceRig): ServiceRig {
  let writes = 0;
  const count = (): void => {
    writes += 1;
    if (writes % lossEvery === 0) rig.loseAnswer?.();
  };
  return {
    ...rig,
    connector: {
      resolve: rig.connector.resolve,
      open(account): CalendarService {
        const { changes, put, remove } = rig.connector.open(account);
        return {
          changes,
          put: (given, signal) => (count(), put(given, signal)),
          remove: (given, signal) => (count(), remove(given, signal)),
        };
      },
    },
  };
}
