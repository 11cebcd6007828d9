import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { shortIds } from "./short-id.ts";

const short = (...ids: readonly string[]): readonly string[] => [...shortIds(ids).values()];

test("a list prints the whole millisecond of a UUID", () => {
  assert.deepEqual(short("01a1f5a5-db47-7c51-a3f0-0242ac120002"), ["01a1f5a5-db47"]);
});

test("ids of one millisecond are printed up to where they differ, never up to a hyphen", () => {
  const [a, b, c] = ["01a1f5a5-db47-7001", "01a1f5a5-db47-7002", "01a1f5a5-db47-8001"].map(
    (start) => `${start}-a3f0-0242ac120002`,
  ) as [string, string, string];
  assert.deepEqual(short(a, b), ["01a1f5a5-db47-7001", "01a1f5a5-db47-7002"]);
  assert.deepEqual(short(a, c), ["01a1f5a5-db47-7", "01a1f5a5-db47-8"]);
  const rare = a.replace("a3f0", "b3f0");
  assert.deepEqual(short(a, rare), ["01a1f5a5-db47-7001-a", "01a1f5a5-db47-7001-b"]);
});

test("a typed id, a name and an upper-case UUID are printed whole", () => {
  const whole = ["TASK-20261118-107", "event-20261118-1", "event-20261118-10", "home", ""];
  assert.deepEqual(short(...whole), whole.toSorted());
  assert.deepEqual(short("01A1F5A5-DB47-7C51-A3F0-0242AC120002"), [
    "01A1F5A5-DB47-7C51-A3F0-0242AC120002",
  ]);
});

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom("0", "1", "f"), { minLength: length, maxLength: length })
    .map((all) => all.join(""));
/** UUIDs that share much of their start. */
const closeUuid = fc
  .tuple(fc.constantFrom("01a1f5a5-db47", "01a1f5a5-db48"), digits(2), digits(2), digits(2))
  .map(([time, a, b, c]) => `${time}-70${a}-80${b}-0000000000${c}`);
const anyId = fc.oneof(closeUuid, closeUuid, fc.uuid(), fc.constantFrom("task-1", "task-10"));

test("a printed id starts its own id and no other of the list, and could not be shorter", () => {
  fc.assert(
    fc.property(fc.array(anyId), (ids) => {
      const printed = shortIds(ids);
      assert.deepEqual(new Set(printed.keys()), new Set(ids));
      for (const [id, start] of printed) {
        const others = [...printed.keys()].filter((other) => other !== id);
        const taken = (text: string): boolean => others.some((other) => other.startsWith(text));
        assert.ok(id.startsWith(start));
        if (start === id) continue;
        assert.equal(taken(start), false);
        const shorter = start.slice(0, -1).replace(/-$/, "");
        assert.ok(start.length === 13 || taken(shorter), `${start} of ${ids.join(", ")}`);
      }
    }),
  );
});

test("the order of a list does not change what is printed for it", () => {
  fc.assert(
    fc.property(fc.array(anyId), (ids) => {
      assert.deepEqual(shortIds(ids.toReversed()), shortIds(ids));
    }),
  );
});
