import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Source, SourceKind } from "../../features/events/source.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { sourceSuite } from "../../testing/sources/conformance.ts";
import {
  githubServer,
  githubToken,
  type GithubServer,
} from "../../testing/sources/github-server.ts";
import { busyMs, type HandClock } from "../../testing/sources/rig.ts";
import { handClock, sourceDriver, type SourceDriver } from "../../testing/sources/source-driver.ts";
import { github, type GithubOptions } from "./github.ts";

interface Service {
  server: GithubServer;
  make(more?: Partial<GithubOptions>): Source;
}

async function service(t: TestContext, clock: HandClock): Promise<Service> {
  const server = await githubServer(() => clock.now);
  t.after(() => server.close());
  const fetch = safeFetch({
    clock,
    timeoutMs: 5_000,
    bytesMax: 2 ** 20,
    allowHosts: [server.host],
  });
  const plain = { fetch, clock, url: server.api, token: githubToken };
  return { server, make: (more = {}) => github({ ...plain, ...more }) };
}

interface Scenario extends Service {
  clock: HandClock;
  driver: SourceDriver;
}

async function scenario(t: TestContext): Promise<Scenario> {
  const clock = handClock();
  const { server, make } = await service(t, clock);
  const driver = await sourceDriver("github", clock);
  await driver.pollAll(make());
  clock.now += 1_000;
  return { server, make, clock, driver };
}

async function cursorOf({ driver }: Scenario): Promise<{ since: number; mark: unknown }> {
  const outcome = (await driver.record()).outcome as SourceKind["outcome"];
  return outcome.cursor as { since: number; mark: unknown };
}

function nameOf(id: string, at: number): string {
  return `evt-github-${id}-${new Date(at).toISOString().replace(".000", "")}`;
}

sourceSuite("GitHub", async (t, clock) => {
  const { server, make } = await service(t, clock);
  let count = 0;
  const notify = (): string => {
    server.notify({ id: String(count), updatedAt: clock.now });
    return nameOf(String(count), clock.now);
  };
  return {
    make,
    createEvent() {
      count += 1;
      return notify();
    },
    changeAgain: notify,
    loseAnswer: () => server.next("lose"),
    rateLimit: () =>
      server.next({ status: 403, headers: { "retry-after": String(busyMs / 1_000) } }),
    unreadable: () => void (server.unreadable = [{ id: 7 }, null]),
    faults: {
      "is down": () => server.always("reset"),
      "answers 500": () => server.always({ status: 502, body: "<html>" }),
      "answers 401": () => server.always({ status: 401 }),
      "answers with invalid JSON": () => server.always({ status: 200, body: "<html>" }),
      "answers without a list": () => server.always({ status: 200, body: "{}" }),
      "answers with invalid UTF-8": () => server.always({ status: 200, body: "[\uD83D" }),
      redirects: () => server.always({ status: 302, headers: { location: "/" } }),
    },
    recover: () => server.always("accept"),
    positionOf: (cursor) => (cursor as { since: number }).since,
  };
});

test("an unchanged ETag gives a 304, and the cursor stays", async (t) => {
  const at = await scenario(t);
  at.server.notify({ id: "1", updatedAt: at.clock.now });
  await at.driver.pollAll(at.make());
  await at.driver.pollAll(at.make());
  const before = await cursorOf(at);
  const requested = at.server.requests.length;
  await at.driver.pollAll(at.make());
  assert.deepEqual(await cursorOf(at), before);
  const last = at.server.requests.slice(requested);
  assert.equal(last.length, 1);
  assert.match(last[0]?.headers["if-none-match"] ?? "", /^W\/"/);
});

for (const etag of ["", '""', 'W/""', "   "]) {
  test(`B7 13: a blank ETag (${JSON.stringify(etag)}) is not stored, and later events are received`, async (t) => {
    const at = await scenario(t);
    at.server.extra = { etag };
    at.server.notify({ id: "1", updatedAt: at.clock.now });
    await at.driver.pollAll(at.make());
    const requested = at.server.requests.length;
    for (let round = 0; round < 2; round += 1) await at.driver.pollAll(at.make());
    assert.doesNotMatch(JSON.stringify(await cursorOf(at)), /etag/);
    const tags = at.server.requests.slice(requested).map(({ headers }) => headers["if-none-match"]);
    assert.deepEqual(tags, [undefined, undefined]);
    at.clock.now += 1_000;
    at.server.notify({ id: "2", updatedAt: at.clock.now });
    await at.driver.pollAll(at.make());
    assert.equal((await at.driver.names()).length, 2);
  });
}

test("a 304 to a request without an ETag is an error", async (t) => {
  const at = await scenario(t);
  at.clock.now += 3_600_000;
  at.server.notify({ id: "1", updatedAt: at.clock.now });
  await at.driver.pollAll(at.make());
  at.server.always({ status: 304 });
  // The cursor moved, so it has no ETag.
  await at.driver.pollAll(at.make());
  assert.match((await at.driver.record()).outcome?.reason ?? "", /cannot be read/);
});

test("X-Poll-Interval may lengthen the poll interval, never shorten it", async (t) => {
  const at = await scenario(t);
  at.server.extra = { "x-poll-interval": "300" };
  await at.driver.pollAll(at.make());
  assert.equal((await at.driver.record()).wakeAt, at.clock.now + 300_000);
  at.server.extra = { "x-poll-interval": "1" };
  await at.driver.pollAll(at.make());
  assert.equal((await at.driver.record()).wakeAt, at.clock.now + 60_000);
});

test("a used-up rate limit delays the next poll until its reset", async (t) => {
  const at = await scenario(t);
  at.clock.now += 60_000;
  const reset = Math.ceil(at.clock.now / 1_000) + 1_800;
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
  at.server.next({ status: 403, headers });
  await at.driver.pollAll(at.make());
  assert.ok(((await at.driver.record()).wakeAt ?? 0) >= reset * 1_000);
});

test("B7 14: notifications out of scope are neither stored nor changed at GitHub", async (t) => {
  const clock = handClock();
  const { server, make } = await service(t, clock);
  const driver = await sourceDriver("github", clock, { repos: ["querypie/*"] });
  await driver.pollAll(make());
  server.notify({ id: "1", updatedAt: clock.now + 1_000 });
  server.notify({ id: "2", updatedAt: clock.now + 2_000, repo: "other/thing" });
  clock.now += 5_000;
  await driver.pollAll(make());
  assert.deepEqual(
    (await driver.events()).map(({ body }) => body.repo),
    ["querypie/frontend"],
  );
  assert.deepEqual(new Set(server.requests.map(({ method }) => method)), new Set(["GET"]));
});

test("a notification removed between pages hides no other one", async (t) => {
  const at = await scenario(t);
  const names: string[] = [];
  for (let id = 1; id <= 120; id += 1) {
    at.clock.now += 1_000;
    at.server.notify({ id: String(id), updatedAt: at.clock.now });
    names.push(nameOf(String(id), at.clock.now));
  }
  const requested = at.server.requests.length;
  const receivedCases = at.driver.pollAll(at.make());
  await at.server.request(requested);
  at.server.remove("120");
  await receivedCases;
  const received = await at.driver.names();
  assert.deepEqual(
    names.filter((name) => !received.includes(name)),
    [],
  );
});

test("more notifications in one second than a page holds are all received", async (t) => {
  const at = await scenario(t);
  for (let id = 1; id <= 130; id += 1)
    at.server.notify({ id: String(id), updatedAt: at.clock.now });
  await at.driver.pollAll(at.make());
  assert.equal((await at.driver.names()).length, 130);
});

test("late and already read notifications are received", async (t) => {
  const at = await scenario(t);
  at.clock.now += 3_600_000;
  const late = at.clock.now;
  at.clock.now += 120_000;
  at.server.notify({ id: "1", updatedAt: at.clock.now, isRead: true });
  await at.driver.pollAll(at.make());
  at.server.notify({ id: "2", updatedAt: late });
  await at.driver.pollAll(at.make());
  assert.deepEqual(await at.driver.names(), [nameOf("1", late + 120_000), nameOf("2", late)]);
});

test("B7 11: an empty poll does not move the cursor back", async (t) => {
  const at = await scenario(t);
  at.server.extra = { etag: "", "last-modified": "" };
  const before = await cursorOf(at);
  for (let round = 0; round < 3; round += 1) await at.driver.pollAll(at.make());
  assert.equal((await cursorOf(at)).since, before.since);
  assert.ok(before.since >= at.clock.now - 10 * 60_000);
});

test("the first poll uses GitHub's clock, so a fast local clock skips nothing", async (t) => {
  const clock = handClock();
  const { server, make } = await service(t, clock);
  const driver = await sourceDriver("github", clock);
  const ahead = { ...clock, wall: () => clock.now + 3_600_000 };
  await driver.pollAll(make({ clock: ahead }));
  clock.now += 1_000;
  server.notify({ id: "1", updatedAt: clock.now });
  await driver.pollAll(make({ clock: ahead }));
  assert.equal((await driver.names()).length, 1);
});

test("a future time does not hide the events until then", async (t) => {
  const at = await scenario(t);
  at.server.notify({ id: "1", updatedAt: at.clock.now + 86_400_000 });
  await at.driver.pollAll(at.make());
  at.clock.now += 1_000;
  at.server.notify({ id: "2", updatedAt: at.clock.now });
  await at.driver.pollAll(at.make());
  assert.equal((await at.driver.names()).length, 2);
});

const kinds: readonly [subject: string, reason: string, type: string][] = [
  ["PullRequest", "review_requested", "github.pr.review_requested"],
  ["PullRequest", "mention", "github.pr.mentioned"],
  ["PullRequest", "team_mention", "github.pr.mentioned"],
  ["PullRequest", "assign", "github.pr.assigned"],
  ["PullRequest", "comment", "github.pr.comment"],
  ["PullRequest", "state_change", "github.pr.state_change"],
  ["PullRequest", "author", "github.notification.author"],
  ["Issue", "assign", "github.issue.assigned"],
  ["Issue", "mention", "github.issue.mentioned"],
  ["Issue", "comment", "github.issue.comment"],
  ["Issue", "state_change", "github.issue.state_change"],
  ["Release", "subscribed", "github.notification.subscribed"],
  ["CheckSuite", "ci_activity", "github.notification.ci_activity"],
  ["Issue", "constructor", "github.notification.constructor"],
];

test("a notification's subject and reason make its type", async (t) => {
  const at = await scenario(t);
  for (const [index, [subjectType, reason]] of kinds.entries()) {
    at.clock.now += 1_000;
    at.server.notify({ id: String(index), updatedAt: at.clock.now, subjectType, reason });
  }
  await at.driver.pollAll(at.make());
  assert.deepEqual(
    (await at.driver.events()).map(({ body }) => body.type),
    kinds.map(([, , type]) => type),
  );
});

test("a payload has what handlers need, with control characters replaced", async (t) => {
  const at = await scenario(t);
  const title = "ignore all\u001B[2J previous\nlines";
  at.server.notify({ id: "1", updatedAt: at.clock.now, title });
  at.clock.now += 1_000;
  at.server.notify({ id: "2", updatedAt: at.clock.now, subjectType: "Release", url: null });
  await at.driver.pollAll(at.make());
  const [pull, release] = await at.driver.events();
  assert.deepEqual(pull?.body.payload, {
    reason: "review_requested",
    subject_title: "ignore all�[2J previous lines",
    subject_url: "https://api.github.com/repos/querypie/frontend/pulls/42",
    subject_type: "PullRequest",
    updated_at: pull?.body.payload["updated_at"],
    pr_number: "42",
  });
  assert.equal(release?.body.payload["pr_number"], null);
});
