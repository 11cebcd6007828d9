import assert from "node:assert/strict";
import { test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { kernel } from "./kernel.ts";
import { places, setTrap } from "./trap.ts";

/** Calls or constructs each forbidden thing; arguments do not matter, for the guard comes first. */
function poke(place: object, name: string): unknown {
  const found = Reflect.get(place, name) as () => unknown;
  return Reflect.apply(found, place, []);
}

test("every forbidden global throws on a virtual machine, even when the error is swallowed", () => {
  const trap = setTrap();
  try {
    let planted = 0;
    kernel(1, false).spawn("node", () => {
      for (const place of places) {
        for (const name of place.names) {
          planted += 1;
          assert.throws(
            () => poke(place.in, name),
            (error) => hasCode(error, "bug"),
            `${place.of}.${name}`,
          );
        }
      }
      assert.throws(() => new Date(0), { code: "bug" });
      assert.throws(() => new Date(), { code: "bug" });
    });
    assert.ok(planted > 40);
    assert.equal(trap.caught.length, planted + 2);
  } finally {
    trap.remove();
  }
});

test("outside a virtual machine the same globals work, and afterwards they are as before", () => {
  const before = [Date, Math.random, setTimeout, process.hrtime];
  const trap = setTrap();
  assert.ok(Date.now() > 0);
  assert.equal(new Date(5).getTime(), 5);
  assert.ok(new Date() instanceof Date);
  assert.equal(typeof Math.random(), "number");
  trap.remove();
  assert.deepEqual([Date, Math.random, setTimeout, process.hrtime], before);
  assert.deepEqual(trap.caught, []);
});

test("code that a virtual machine runs after an await is still seen", async () => {
  const trap = setTrap();
  try {
    const virtual = kernel(1, false);
    virtual.spawn("node", () => {
      void Promise.resolve()
        .then(() => undefined)
        .then(() => Math.random())
        .catch(() => undefined);
    });
    await virtual.runUntil(virtual.now());
    assert.deepEqual(trap.caught, ["Math.random was called on node"]);
  } finally {
    trap.remove();
  }
});
