import assert from "node:assert/strict";
import { test } from "node:test";
import { counter, histogram, exposition } from "./metrics.ts";

test("counters have labels and the Prometheus text format", () => {
  const said = counter("said_total", "What was said.");
  said.add({ to: 'a"b\\c\nd' });
  said.add({ to: "x" });
  said.add({ to: "x" });
  assert.equal(
    exposition([said.family()]),
    [
      "# HELP said_total What was said.",
      "# TYPE said_total counter",
      'said_total{to="a\\"b\\\\c\\nd"} 1',
      'said_total{to="x"} 2',
      "",
    ].join("\n"),
  );
});

test("a histogram's buckets count the values up to their bound", () => {
  const late = histogram("late_ms", "How late.", [5, 10]);
  for (const value of [0, 5, 6, 11]) late.add({}, value);
  assert.equal(
    exposition([late.family()]),
    [
      "# HELP late_ms How late.",
      "# TYPE late_ms histogram",
      'late_ms_bucket{le="5"} 2',
      'late_ms_bucket{le="10"} 3',
      'late_ms_bucket{le="+Inf"} 4',
      "late_ms_sum 22",
      "late_ms_count 4",
      "",
    ].join("\n"),
  );
});
