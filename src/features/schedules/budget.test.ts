import assert from "node:assert/strict";
import { test } from "node:test";
import { someSchedule } from "../../testing/run-records.ts";
import { isSpent, spentOn } from "./budget.ts";

const noon = Date.parse("2027-10-16T12:00:00Z");
const budget = { runsPerDay: 4 };
const spent = { day: "2027-10-16", runs: 2, cost: 0.5 };
const inZone = (zone: string) =>
  someSchedule({}, { budget, cadence: { type: "cron", expression: "0 * * * *", zone } }, { spent });

test("a day starts unused, in the schedule's zone", () => {
  const fresh = { day: "2027-10-17", runs: 0, cost: 0 };
  assert.deepEqual(spentOn(inZone("UTC"), noon, "Pacific/Auckland"), spent);
  assert.deepEqual(spentOn(inZone("Pacific/Auckland"), noon, "UTC"), fresh);
});

test("an edit of the zone does not set the day back", () => {
  assert.deepEqual(spentOn(inZone("Pacific/Honolulu"), noon - 43_200_000, "UTC"), spent);
});

test("a budget is used up by runs or by cost", () => {
  const { body } = inZone("UTC");
  assert.equal(isSpent({ body }, { ...spent, runs: 3 }), false);
  assert.equal(isSpent({ body }, { ...spent, runs: 4 }), true);
  const costly = { ...body, budget: { costPerDay: 0.5 } };
  assert.equal(isSpent({ body: costly }, spent), true);
  assert.equal(isSpent({ body: costly }, undefined), false);
});
