import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeView } from "../../../kernel/explain.ts";
import type { Reader } from "../../../kernel/operation.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { textsOf } from "../texts.ts";
import { attemptLines } from "./attempts.ts";

const start = Date.parse("2026-11-16T08:00:00Z");

function change(second: number, more: Partial<ChangeView> = {}): ChangeView {
  const at = start + second * 1_000;
  return {
    what: "settled",
    at: isoOf(at + 5),
    claimed_at: isoOf(at),
    by: "n1",
    state: "pending",
    attempt: 1,
    note: null,
    by_run: false,
    ...more,
  };
}

function lines(changes: readonly ChangeView[], language: Reader["language"] = "en"): string[] {
  const reader: Reader = { language, zone: "UTC", now: start };
  return attemptLines(changes, { reader, texts: textsOf(language) });
}

const overload = (percent: number) => `waits: the machine is overloaded (cpu ${percent} % > 80 %)`;

test("looks at a record that waits are one line, with how often, from when to when, and why", () => {
  const waited = [
    change(0, { note: overload(97) }),
    change(7),
    change(14, { note: overload(96.5), by: "n2" }),
    change(21),
    change(28, { state: "dispatched" }),
  ];
  assert.deepEqual(lines(waited), [
    "1 on n1, n2 left it pending, 4 times between Mon 16 Nov 2026 08:00:00 and Mon 16 Nov 2026 08:00:21: waits: the machine is overloaded (cpu 96.5 % > 80 %)",
    "1 on n1 left it dispatched after 5 ms, started Mon 16 Nov 2026 08:00:28",
  ]);
  assert.match(
    lines(waited, "ko")[0] ?? "",
    /^1번째 n1, n2: 대기 중, .*8:00:00부터 .*8:00:21까지 4번: /,
  );
});

test("attempts that differ in their number, end or reason are lines of their own", () => {
  const each = [
    change(0, { attempt: 1, note: "exit 1" }),
    change(60, { attempt: 2, note: "exit 1" }),
    change(120, { what: "lapsed", attempt: 3 }),
    change(180, { what: "lapsed", attempt: 3 }),
    change(240, { attempt: 4, note: "timed out after 8 s" }),
    change(300, { attempt: 4, note: "no callback came in time" }),
    change(360, { attempt: 4, state: "failed" }),
  ];
  assert.equal(lines(each).length, each.length);
});

test("a single attempt needs no time of its start", () => {
  assert.deepEqual(lines([change(0, { state: "delivered" })]), [
    "1 on n1 left it delivered after 5 ms",
  ]);
});
