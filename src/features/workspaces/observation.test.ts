import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Observation, hasVolume, levelOf } from "./observation.ts";

type Machine = Observation["machine"];
type VolumeOf = "none" | "empty" | "restored" | "half";

const key = "archives/w1/op1/home.tar.zst";
const other = "archives/w1/op0/home.tar.zst";

/** What is kept of a whole restore, beside each volume. */
const volumes: Record<VolumeOf, [Observation["volume"], readonly (string | null)[]]> = {
  none: [null, [null, key, other]],
  empty: [{ marker: null }, [null, key, other]],
  restored: [{ marker: key }, [key]],
  half: [{ marker: key }, [null, other]],
};

const table: readonly [Machine, VolumeOf, string][] = [
  [null, "none", "PENDING"],
  [null, "empty", "STANDBY"],
  [null, "restored", "STANDBY"],
  [null, "half", "PENDING"],
  ["stopped", "none", "wrong"],
  ["stopped", "empty", "STANDBY"],
  ["stopped", "restored", "STANDBY"],
  ["stopped", "half", "wrong"],
  ["starting", "none", "wrong"],
  ["starting", "empty", "STANDBY"],
  ["starting", "restored", "STANDBY"],
  ["starting", "half", "wrong"],
  ["running", "none", "wrong"],
  ["running", "empty", "RUNNING"],
  ["running", "restored", "RUNNING"],
  ["running", "half", "wrong"],
];

describe("the observed level", () => {
  for (const [machine, volume, expected] of table) {
    const sentence = `of a machine that is ${machine ?? "not there"} and a volume that is ${volume}: ${expected}`;
    test(sentence, () => {
      const [there, markers] = volumes[volume];
      for (const restoreMarker of markers) {
        const seen = levelOf({ machine, volume: there }, restoreMarker);
        assert.equal("level" in seen ? seen.level : "wrong", expected, String(restoreMarker));
      }
    });
  }

  test("is a mismatch when a machine has no volume, and names what exists", () => {
    assert.deepEqual(levelOf({ machine: "running", volume: null }, null), {
      expected: "a machine on its volume",
      actual: "a machine that is running, no volume",
    });
    assert.deepEqual(levelOf({ machine: "stopped", volume: { marker: key } }, null), {
      expected: "a machine on its volume",
      actual: `a machine that is stopped, a volume for ${key}`,
    });
  });
});

test("A10-6: a volume counts only after it was completely restored", () => {
  const cases: readonly [string | null, string | null, boolean][] = [
    [null, null, true],
    [null, key, true],
    [key, key, true],
    [key, null, false],
    [key, other, false],
    ["", null, false],
  ];
  for (const [marker, restoreMarker, expected] of cases) {
    const observation: Observation = { machine: null, volume: { marker } };
    assert.equal(hasVolume(observation, restoreMarker), expected, `${marker} ${restoreMarker}`);
  }
  assert.equal(hasVolume({ machine: null, volume: null }, null), false);
});
