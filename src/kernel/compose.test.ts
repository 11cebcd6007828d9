import assert from "node:assert/strict";
import { test } from "node:test";
import { service, type Service } from "../platform/service.ts";
import { nodeFixture } from "../testing/node-fixture.ts";
import { hostOf, nodeOf } from "./compose.ts";
import { feature, type Feature } from "./feature.ts";
import type { Host, Node } from "./host.ts";
import { add, port, provide, provideOnce, registry, type Provision } from "./port.ts";

const plain = { kinds: [], operations: {} };
const limit = port<number>("lower.limit");
const hooks = registry<string>("lower.hooks");

function hostWith(features: readonly Feature[], ...provisions: readonly Provision[]): Host {
  const { ledger, ports } = nodeFixture();
  const log = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [level, () => undefined]),
  ) as unknown as Host["log"];
  return hostOf(features, {
    ...ports,
    log,
    ledger,
    provisions,
    randomBytes: () => new Uint8Array(),
  });
}

function nodeWith(features: readonly Feature[], host = hostWith(features)): Node {
  const self = { name: "node-1", version: "1", host: "box", pid: 1 };
  return nodeOf(features, host, { self, leaseMs: 15_000 });
}

test("a port that no feature provides is an error that names it", () => {
  assert.throws(() => hostWith([]).use(limit), /Nobody provides the port "lower\.limit"/);
});

test("a port that two features provide is an error that names it", () => {
  const provides = (): Provision[] => [provide(limit, () => 1)];
  const twice = ["a", "b"].map((name) => feature({ ...plain, name, provides }));
  assert.throws(() => hostWith(twice), /Two parts provide the port "lower\.limit"/);
});

test("a provided value is read at each use, or created once with provideOnce", () => {
  let created = 0;
  const each = hostWith(
    [],
    provide(limit, () => ++created),
  );
  assert.deepEqual([each.use(limit), each.use(limit)], [1, 2]);
  const once = hostWith(
    [],
    provideOnce(limit, () => ++created),
  );
  assert.deepEqual([once.use(limit), once.use(limit)], [3, 3]);
});

test("a registry has the defined values of the features, in their order", () => {
  const adding = (name: string, value: string | undefined): Feature =>
    feature({ ...plain, name, provides: () => [add(hooks, () => value)] });
  const host = hostWith([adding("a", "first"), adding("b", undefined), adding("c", "last")]);
  assert.deepEqual(host.use(hooks), ["first", "last"]);
  assert.deepEqual(hostWith([]).use(hooks), []);
});

test("sensors start before services, in the order of the features, and stop in reverse", async () => {
  const order: string[] = [];
  const named = (name: string): Service =>
    service({
      start: async () => void order.push(`+${name}`),
      stop: async () => void order.push(`-${name}`),
    });
  const working = (name: string): Feature =>
    feature({
      ...plain,
      name,
      node: () => ({ sensors: [named(`${name} sensor`)], services: [named(name)] }),
    });
  const node = nodeWith([working("a"), working("b")]);
  await node.start();
  await node.stop();
  assert.deepEqual(order, [
    "+a sensor",
    "+b sensor",
    "+a",
    "+b",
    "-b",
    "-a",
    "-b sensor",
    "-a sensor",
  ]);
});

test("a value that a node provides is not provided by its host", () => {
  const working = feature({
    ...plain,
    name: "a",
    node: () => ({ provides: [provide(limit, () => 7)] }),
  });
  const host = hostWith([working]);
  assert.equal(nodeWith([working], host).use(limit), 7);
  assert.throws(() => host.use(limit));
});

test("every feature is called when the settings have changed", () => {
  let reloads = 0;
  const counting = ["a", "b"].map((name) =>
    feature({ ...plain, name, node: () => ({ reloadSettings: () => void (reloads += 1) }) }),
  );
  nodeWith(counting).reloadSettings();
  assert.equal(reloads, 2);
});
