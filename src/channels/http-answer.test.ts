import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs } from "./http-answer.ts";

const now = 1_800_000_000_000;

test("Retry-After is read as seconds or as a date of HTTP", () => {
  const cases: [header: string, ms: number][] = [
    ["0", 0],
    ["120", 120_000],
    ["Fri, 15 Jan 2027 08:00:10 GMT", 10_000],
    ["Friday, 15-Jan-27 08:00:10 GMT", 10_000],
    ["Fri, 15 Jan 2027 07:00:00 GMT", 0],
  ];
  for (const [header, ms] of cases) assert.equal(retryAfterMs(header, now), ms, header);
});

test("a Retry-After that cannot be read was not said", () => {
  const nonsense = [
    "",
    "soon",
    "-5",
    "1.5",
    "1e9",
    "5, 10",
    "9".repeat(40),
    "2027-01-15",
    "X, GMT",
  ];
  for (const header of nonsense) assert.equal(retryAfterMs(header, now), undefined, header);
  assert.equal(retryAfterMs(undefined, now), undefined);
});
