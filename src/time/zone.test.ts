import assert from "node:assert/strict";
import { test } from "node:test";
import { checkZone, dayOf, isZone } from "./zone.ts";

test("a zone is one of the tz database or an offset", () => {
  const offsets = ["+09:00", "+0900", "-05"];
  for (const zone of [...Intl.supportedValuesOf("timeZone"), "UTC", "EST5EDT", ...offsets]) {
    assert.ok(isZone(zone), zone);
  }
  for (const zone of ["", "Asia/Soul", "KST+9", "../etc/passwd", "x".repeat(100_000)]) {
    assert.ok(!isZone(zone), zone);
  }
});

test("a date or a time that contains a zone is not a zone", () => {
  const dates = ["2026-11-16T00:00Z", "+002026-11-16T00:00Z", "20261116T00Z", "2026-11[UTC]"];
  const times = ["00:00Z", "T00:00Z", "t00Z", "T00[Asia/Seoul]", "00:00[UTC]", "--11-16[UTC]"];
  for (const zone of [...dates, ...times]) assert.ok(!isZone(zone), zone);
});

test("a zone is answered by its canonical name", () => {
  assert.equal(checkZone("asia/seoul"), "Asia/Seoul");
  assert.throws(() => checkZone("Asia/Soul"), { code: "invalid" });
});

test("a day is the local one", () => {
  const at = Date.parse("2026-11-16T08:00:00+09:00");
  assert.deepEqual([dayOf(at, "Asia/Seoul"), dayOf(at, "UTC")], ["2026-11-16", "2026-11-15"]);
});
