import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Source } from "../../features/events/source.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { sourceSuite } from "../../testing/sources/conformance.ts";
import { jiraLogin, jiraServer, type JiraServer } from "../../testing/sources/jira-server.ts";
import { busyMs, type HandClock } from "../../testing/sources/rig.ts";
import { handClock, sourceDriver, type SourceDriver } from "../../testing/sources/source-driver.ts";
import { jira, type JiraOptions } from "./jira.ts";

interface Service {
  server: JiraServer;
  make(more?: Partial<JiraOptions>): Source;
}

async function service(t: TestContext, clock: HandClock): Promise<Service> {
  const server = await jiraServer(() => clock.now);
  t.after(() => server.close());
  const fetch = safeFetch({
    clock,
    timeoutMs: 5_000,
    bytesMax: 2 ** 20,
    allowHosts: [server.host],
  });
  const plain = { fetch, clock, url: server.site, ...jiraLogin };
  return { server, make: (more = {}) => jira({ ...plain, ...more }) };
}

interface Scenario extends Service {
  clock: HandClock;
  driver: SourceDriver;
}

async function scenario(t: TestContext, before?: (server: JiraServer) => void): Promise<Scenario> {
  const clock = handClock();
  const { server, make } = await service(t, clock);
  before?.(server);
  const driver = await sourceDriver("jira", clock, { ours: ["bot"] });
  await driver.pollAll(make());
  clock.now += 1_000;
  return { server, make, clock, driver };
}

function nameOf(key: string, at: number): string {
  return `evt-jira-${key}-${new Date(at).toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
}

sourceSuite("Jira", async (t, clock) => {
  const { server, make } = await service(t, clock);
  let count = 0;
  const change = (): string => {
    server.change({ key: `QP-${count}`, updatedAt: clock.now });
    return nameOf(`QP-${count}`, clock.now);
  };
  return {
    make,
    createEvent() {
      count += 1;
      return change();
    },
    changeAgain: change,
    loseAnswer: () => server.next("lose"),
    rateLimit: () =>
      server.next({ status: 429, headers: { "retry-after": String(busyMs / 1_000) } }),
    unreadable: () => void (server.unreadable = [{ key: "../..", fields: {} }, 3]),
    faults: {
      "is down": () => server.always("reset"),
      "answers 500": () => server.always({ status: 503 }),
      "answers 401": () => server.always({ status: 401 }),
      "refuses the JQL": () => server.always({ status: 400 }),
      "answers with invalid JSON": () => server.always({ status: 200, body: "<html>" }),
      "answers without a list": () => server.always({ status: 200, body: "[]" }),
      "answers 304": () => server.always({ status: 304 }),
    },
    recover: () => server.always("accept"),
    positionOf: (cursor) => (cursor as { since: number }).since,
  };
});

test("B7 14: a change is reported against the newest known status", async (t) => {
  const at = await scenario(t);
  for (const status of ["To Do", "In Progress", "In Progress", "Done"]) {
    at.clock.now += 1_000;
    at.server.change({ key: "QP-1", updatedAt: at.clock.now, status });
    await at.driver.pollAll(at.make());
  }
  const told = (await at.driver.events()).map(({ body: { type, payload } }) => [
    type,
    payload["previous_status"],
    payload["status"],
  ]);
  assert.deepEqual(told, [
    ["jira.ticket.assigned", null, "To Do"],
    ["jira.ticket.updated", "To Do", "In Progress"],
    ["jira.ticket.updated", "In Progress", "In Progress"],
    ["jira.ticket.updated", "In Progress", "Done"],
  ]);
});

test("the first change of an existing ticket is not an assignment", async (t) => {
  const at = await scenario(t, (server) =>
    server.change({ key: "QP-9", updatedAt: Date.UTC(2026, 0, 20), status: "Open" }),
  );
  assert.deepEqual(await at.driver.names(), []);
  at.server.change({ key: "QP-9", updatedAt: at.clock.now, status: "Done" });
  await at.driver.pollAll(at.make());
  const [event] = await at.driver.events();
  assert.equal(event?.body.type, "jira.ticket.updated");
  assert.deepEqual(event?.body.payload, {
    ticket_key: "QP-9",
    summary: "Do it",
    status: "Done",
    previous_status: "Open",
    url: `${at.server.site}/browse/QP-9`,
  });
});

test("two changes in one second are two events", async (t) => {
  const at = await scenario(t);
  at.server.change({ key: "QP-1", updatedAt: at.clock.now });
  await at.driver.pollAll(at.make());
  const [first] = await at.driver.events();
  at.server.change({ key: "QP-1", updatedAt: (first?.body.at ?? 0) + 250 });
  await at.driver.pollAll(at.make());
  const names = await at.driver.names();
  assert.equal(names.length, 2);
  assert.match(names[1] ?? "", /^evt-jira-QP-1-\d{14}250$/);
});

test("our own changes are no events, and other people's changes are", async (t) => {
  const at = await scenario(t);
  at.server.change({ key: "QP-1", updatedAt: at.clock.now, by: "bot" });
  await at.driver.pollAll(at.make());
  assert.deepEqual(await at.driver.names(), []);
  at.server.change({ key: "QP-1", updatedAt: at.clock.now, by: "mina" });
  await at.driver.pollAll(at.make());
  assert.equal((await at.driver.names()).length, 1);
});

test("an expired page token restarts from the first page", async (t) => {
  const at = await scenario(t);
  for (let count = 1; count <= 620; count += 1) {
    at.server.change({ key: `QP-${count}`, updatedAt: at.clock.now });
  }
  at.clock.now += 60_000;
  await at.driver.poll(at.make());
  at.server.forget();
  for (let round = 0; round < 3; round += 1) await at.driver.pollAll(at.make());
  assert.equal((await at.driver.names()).length, 620);
});

test("a change that Jira finds minutes late is received", async (t) => {
  const at = await scenario(t);
  const late = at.clock.now;
  at.clock.now += 120_000;
  at.server.change({ key: "QP-1", updatedAt: at.clock.now });
  await at.driver.pollAll(at.make());
  at.server.change({ key: "QP-2", updatedAt: late });
  await at.driver.pollAll(at.make());
  assert.equal((await at.driver.names()).length, 2);
});

test("a JQL with ORDER BY is refused at once", async (t) => {
  const { make } = await service(t, handClock());
  assert.throws(() => make({ jql: "project = QP order  by key" }), /ORDER BY/);
});
