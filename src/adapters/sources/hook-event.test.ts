import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkEvent } from "../../features/events/kind.ts";
import type { SourceEvent } from "../../features/events/source.ts";
import { DaybookError } from "../../platform/errors.ts";
import { hookEvent } from "./hook-event.ts";
import type { Hook } from "./webhook.ts";

const now = Date.UTC(2026, 1, 7, 10);
const hub: Hook = { name: "github", verify: "hub", secrets: ["s"] };
const standard: Hook = { name: "shop", verify: "standard", secrets: ["s"] };
const bearer: Hook = { name: "broker", verify: "bearer", secrets: ["s"] };

type Headers = Record<string, string>;

function read(
  hook: Hook,
  body: unknown,
  headers: Headers = {},
  chance = "c0ffee",
): SourceEvent | undefined {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return hookEvent(hook, { headers, body: new TextEncoder().encode(text), now }, chance);
}

test("a Standard Webhook's event has its id, and its hook's name in the type", () => {
  const headers = { "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W" };
  const event = read(standard, { type: "order.paid", data: { id: 7 } }, headers);
  assert.equal(event?.name, "evt-shop-msg_2KWPBgLlAfxdpx2AI54pPJ85f4W");
  assert.equal(event?.type, "shop.order.paid");
  assert.deepEqual(event?.payload, { type: "order.paid", data: { id: 7 } });
  assert.equal(read(standard, { type: "shop.order.paid" }, headers)?.type, "shop.order.paid");
  assert.equal(
    read(standard, { type: "github.pr.assigned" }, headers)?.type,
    "shop.github.pr.assigned",
  );
  assert.equal(read(standard, {}, headers)?.type, "shop.received");
  assert.deepEqual(read(standard, [1, 2], headers)?.payload, { value: [1, 2] });
});

test("a bearer request without an id is a new event each time", () => {
  const names = (hook: Hook, body: object, headers: Headers = {}) =>
    ["a1", "b2"].map((chance) => read(hook, body, headers, chance)?.name);
  const done = { type: "deploy.done" };
  assert.deepEqual(names(bearer, done), ["evt-broker-a1", "evt-broker-b2"]);
  const named = ["evt-broker-7", "evt-broker-7"];
  assert.deepEqual(names(bearer, { ...done, id: 7 }), named);
  assert.deepEqual(names(bearer, done, { "idempotency-key": "7" }), named);
  // A replayed signed request makes no second event.
  const [first, second] = names(hub, done);
  assert.equal(first, second);
});

const cloud = {
  specversion: "1.0",
  id: "A234-1234-1234",
  source: "https://example.com/storage",
  type: "com.Example.Object Created",
  time: "2026-02-07T18:59:00+09:00",
  subject: "file.txt",
  data: { size: 3 },
};
const structured = { "content-type": "application/cloudevents+json; charset=utf-8" };

test("a CloudEvent's event name depends on its source and id only", () => {
  const event = read(bearer, cloud, structured);
  const changeAgain = read(bearer, { ...cloud, data: null, time: undefined }, structured);
  assert.equal(event?.name, changeAgain?.name);
  assert.notEqual(event?.name, read(bearer, { ...cloud, id: "B" }, structured)?.name);
  assert.equal(event?.type, "broker.com.example.object-created");
  assert.equal(event?.at, now - 60_000);
  assert.deepEqual(event?.payload["data"], { size: 3 });
  assert.equal(event?.payload["subject"], "file.txt");
});

test("a CloudEvent in headers is the same, where the headers are authenticated", () => {
  const headers = {
    "content-type": "application/json",
    "ce-specversion": "1.0",
    "ce-id": cloud.id,
    "ce-source": cloud.source,
    "ce-type": cloud.type,
    "ce-daybookhops": "4",
  };
  const event = read(bearer, cloud.data, headers);
  assert.equal(event?.name, read(bearer, cloud, structured)?.name);
  assert.equal(event?.hops, 4);
  assert.deepEqual(event?.payload["data"], cloud.data);
  assert.throws(() => read(hub, cloud.data, headers), /not signed/);
});

test("an invalid CloudEvent is refused with its missing fields", () => {
  assert.throws(() => read(bearer, { ...cloud, specversion: "0.3" }, structured), /specversion/);
  assert.throws(
    () => read(bearer, [], structured),
    /not a CloudEvent: it must be an object\. Send/,
  );
  const { source: _none, ...rest } = cloud;
  assert.throws(
    () => read(bearer, rest, structured),
    /not a CloudEvent: "source" is missing\. Send/,
  );
});

test("the hop count of an event is kept", () => {
  assert.equal(read(standard, {}, { "webhook-id": "a", "daybook-hops": "3" })?.hops, 3);
  assert.equal(read(standard, {}, { "webhook-id": "a", "daybook-hops": "-3" })?.hops, undefined);
});

test("unsigned headers do not change a signed event's name", () => {
  const body = { id: "a", type: "x" };
  const first = read({ ...hub, name: "ci" }, body, { "idempotency-key": "1" });
  const replayed = read({ ...hub, name: "ci" }, body, { "idempotency-key": "2" });
  assert.equal(first?.name, replayed?.name);
});

const pull = {
  number: 42,
  title: "Fix it",
  url: "https://api.github.com/repos/a/b/pulls/42",
  updated_at: "2026-02-07T09:59:00Z",
};
const common = { repository: { full_name: "a/b" }, sender: { login: "mina" } };
const requested = {
  ...common,
  action: "review_requested",
  pull_request: pull,
  requested_reviewer: { login: "bot" },
};

const told: readonly [what: string, body: object, type: string][] = [
  ["pull_request", requested, "github.pr.review_requested"],
  ["pull_request", { ...common, action: "assigned", pull_request: pull }, "github.pr.assigned"],
  ["pull_request", { ...common, action: "closed", pull_request: pull }, "github.pr.state_change"],
  [
    "pull_request",
    { ...common, action: "labeled", pull_request: pull },
    "github.notification.pull_request",
  ],
  ["issues", { ...common, action: "assigned", issue: pull }, "github.issue.assigned"],
  ["issues", { ...common, action: "reopened", issue: pull }, "github.issue.state_change"],
  [
    "issue_comment",
    { ...common, action: "created", issue: pull, comment: { html_url: "https://x" } },
    "github.issue.comment",
  ],
  [
    "issue_comment",
    {
      ...common,
      action: "created",
      issue: { ...pull, pull_request: {} },
      comment: { html_url: "https://x" },
    },
    "github.pr.comment",
  ],
  ["push", common, "github.notification.push"],
];

test("GitHub's webhooks have the same types as its notifications", () => {
  for (const [what, body, type] of told) {
    assert.equal(read(hub, body, { "x-github-event": what })?.type, type, what);
  }
});

test("a review request has its sender, reviewer and pull request", () => {
  const event = read(hub, requested, {
    "x-github-event": "pull_request",
    "x-github-delivery": "1",
  });
  assert.equal(event?.actor, "mina");
  assert.equal(event?.repo, "a/b");
  assert.equal(event?.at, Date.parse(pull.updated_at));
  assert.deepEqual(event?.payload, {
    reason: "review_requested",
    subject_title: "Fix it",
    subject_url: pull.url,
    subject_type: "PullRequest",
    updated_at: pull.updated_at,
    pr_number: "42",
    requested_reviewer: "bot",
  });
  const redelivered = read(hub, requested, {
    "x-github-event": "pull_request",
    "x-github-delivery": "2",
  });
  assert.equal(redelivered?.name, event?.name);
  const later = { ...requested, pull_request: { ...pull, updated_at: "2026-02-07T10:00:00Z" } };
  assert.notEqual(read(hub, later, { "x-github-event": "pull_request" })?.name, event?.name);
});

test("GitHub's ping is not an event", () => {
  assert.equal(read(hub, { zen: "Design for failure." }, { "x-github-event": "ping" }), undefined);
});

test("any request gives a valid event or an error with a sentence", () => {
  const hooks = fc.constantFrom(hub, standard, bearer);
  const names = [
    "content-type",
    "webhook-id",
    "x-github-event",
    "ce-specversion",
    "ce-id",
    "daybook-hops",
  ];
  const headers = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.string(), fc.constantFrom("1.0", "application/cloudevents+json", "push")),
  );
  const bodies = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constant('{"__proto__":{}}'),
    fc.constant("[".repeat(40)),
  );
  fc.assert(
    fc.property(hooks, headers, bodies, (hook, given, body) => {
      try {
        const event = read(hook, body, given);
        if (event === undefined) return;
        const { origin = null, hops = 0 } = event;
        checkEvent({ ...event, source: hook.name, origin, hops });
      } catch (error) {
        assert.ok(error instanceof DaybookError, String(error));
        assert.equal(error.code, "invalid");
      }
    }),
    { numRuns: 2_000 },
  );
});
