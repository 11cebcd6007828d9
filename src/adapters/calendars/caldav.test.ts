import assert from "node:assert/strict";
import { after, test } from "node:test";
import { caldavRig } from "../../testing/calendars/caldav-rig.ts";
import { calendarServiceSuite } from "../../testing/calendars/conformance.ts";
import { radicale } from "../../testing/calendars/radicale.ts";
import { signal } from "../../testing/calendars/service-rig.ts";
import { xandikos } from "../../testing/calendars/xandikos.ts";

for (const [name, start] of Object.entries({ Radicale: radicale, Xandikos: xandikos })) {
  const server = await start();
  if ("missing" in server) {
    void test(`CalDAV on ${name}`, { skip: server.missing }, () => undefined);
    continue;
  }
  const rig = await caldavRig(server);
  after(() => rig.close?.());
  calendarServiceSuite(`CalDAV on ${name}`, () => rig.make());
  void test(`a calendar on ${name} is found from the bare URL of the server`, async () => {
    const { account, connector } = await rig.make();
    assert.ok(account.type === "caldav");
    const path = new URL(account.collection).pathname;
    const found = await connector.resolve({ ...account, collection: path }, signal);
    assert.deepEqual(found, account);
  });
  void test(`${name} tells what has changed, and is not listed whole each time`, async () => {
    const { account, connector, add } = await rig.make();
    const service = connector.open(account);
    const { token, isComplete } = await service.changes(null, signal);
    const at = Date.parse("2026-11-21T00:00Z");
    const content = { title: "Theirs", description: "", at, zone: "UTC", minutes: 30 };
    await add(content);
    const after = await service.changes(token, signal);
    assert.deepEqual([isComplete, after.isComplete, after.entries.length], [true, false, 1]);
  });
}
