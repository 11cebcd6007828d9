import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { DaybookError } from "./errors.ts";
import { log, type Fields, type LogOptions, debugOf } from "./log.ts";

/** The line one entry gives. */
function lineOf(text: string, fields?: Fields, options: Partial<LogOptions> = {}): string {
  const lines: string[] = [];
  const clock = { wall: () => 1_800_000_000_000 };
  const write = (line: string): number => lines.push(line);
  log({ write, clock, level: "debug", format: "json", color: false, ...options }).info(
    text,
    fields,
  );
  assert.equal(lines.length, 1);
  return lines[0] ?? "";
}

function entryOf(text: string, fields?: Fields): unknown {
  return JSON.parse(lineOf(text, fields));
}

const head = { time: "2027-01-15T08:00:00.000Z", level: "info", text: "sent" };

test("an entry is one line of JSON with its time, level, text and fields", () => {
  const line = lineOf("sent", { to: "inbox:ann", ms: 12 });
  assert.deepEqual(JSON.parse(line), { ...head, to: "inbox:ann", ms: 12 });
  assert.ok(line.startsWith('{"time"') && line.endsWith("}\n"));
});

test("a pretty entry is for people, coloured only on request", () => {
  const fields = { to: "inbox:ann", why: "two words", n: 1 };
  const pretty = { format: "pretty", color: false } as const;
  assert.equal(
    lineOf("sent", fields, pretty),
    '08:00:00.000Z INFO  sent to=inbox:ann why="two words" n=1\n',
  );
  const coloured = lineOf("sent", {}, { ...pretty, color: true });
  assert.equal(coloured, "08:00:00.000Z \u001B[36mINFO \u001B[0m sent\n");
});

test("only entries of the level or above are written", () => {
  const lines: string[] = [];
  const write = (line: string): number => lines.push(line);
  const quiet = log({
    write,
    clock: { wall: () => 0 },
    level: "warn",
    format: "pretty",
    color: false,
  });
  quiet.debug("a");
  quiet.info("b");
  quiet.warn("c");
  quiet.error("d");
  assert.deepEqual(
    lines.map((line) => line.trim().split(/\s+/).slice(1)),
    [
      ["WARN", "c"],
      ["ERROR", "d"],
    ],
  );
});

test("no field overwrites time, level or text", () => {
  const fields = { level: "error", time: "never", text: "forged", __proto__: null, more: 1 };
  assert.deepEqual(entryOf("sent", fields), { ...head, more: 1 });
});

describe("fields that JSON cannot represent are shown:", () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic["self"] = cyclic;
  let deep: unknown = "end";
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const throwing = {
    get name(): string {
      throw new Error("no");
    },
  };
  const bad = {
    toJSON(): never {
      throw new Error("no");
    },
  };
  const cases: [name: string, value: unknown, shown: unknown][] = [
    ["a cycle", cyclic, { a: 1, self: "[cyclic]" }],
    ["the same value twice, which is no cycle", [head, head], [head, head]],
    ["a bigint", 12n, "12"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["bytes", Buffer.from("secret"), "[6 bytes]"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a getter that throws", throwing, "[unreadable]"],
    ["a toJSON that throws", bad, "[unreadable]"],
    ["a revoked proxy", revoked.proxy, "[unreadable]"],
    ["an object without a prototype", Object.create(null), {}],
  ];
  for (const [name, value, shown] of cases) {
    test(name, () => assert.deepEqual(entryOf("sent", { value }), { ...head, value: shown }));
  }
  test("a value too deep for any stack", () => {
    assert.match(lineOf("sent", { deep }), /\[deep\]/);
  });
  test("all fields, when they cannot be read at all", () => {
    assert.deepEqual(entryOf("sent", throwing), { ...head, fields: "[unreadable]" });
  });
});

test("a DaybookError is shown by code and details, another error by its stack", () => {
  const cause = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  const error = new DaybookError("unavailable", "No space.", { cause, details: { path: "/x" } });
  const entry = entryOf("sent", { error }) as { error: Record<string, unknown> };
  const { cause: inner, ...outer } = entry.error;
  assert.deepEqual(outer, {
    name: "DaybookError",
    message: "No space.",
    code: "unavailable",
    details: { path: "/x" },
  });
  const shown = inner as Record<string, unknown>;
  assert.deepEqual([shown["message"], shown["code"]], ["ENOSPC", "ENOSPC"]);
  assert.match(String(shown["stack"]), /log\.test\.ts/);
});

test("no text, name or value breaks a line or controls a terminal", () => {
  const evil = 'a\n{"level":"error"}\r\u001B[2J\u009B31m\u007F\u2028\u2029\u202Eb\u0000\u{E0001}';
  for (const format of ["json", "pretty"] as const) {
    const line = lineOf(evil, { [evil]: evil }, { format });
    assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
  assert.deepEqual(entryOf("sent", { [evil]: evil }), { ...head, [evil]: evil });
});

test("any value gives one line, and never throws", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.dictionary(fc.string(), fc.anything()),
      (text, fields) => {
        for (const format of ["json", "pretty"] as const) {
          assert.match(lineOf(text, fields, { format }), /^[^\n\r]+\n$/);
        }
        JSON.parse(lineOf(text, fields));
      },
    ),
  );
});

test("a clock or a writer that fails does not throw", () => {
  assert.match(lineOf("sent", {}, { clock: { wall: () => Number.NaN } }), /no time/);
  const write = (): never => {
    throw new Error("EPIPE");
  };
  const options = {
    write,
    clock: { wall: () => 0 },
    level: "debug",
    format: "json",
    color: false,
  } as const;
  log(options).error("sent");
});

test("a name filters debug lines, and no other lines", () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const clock = { wall: () => 0 };
  const all = log({ write, clock, level: "debug", format: "json", color: false });
  const some = debugOf(all, ["notification", "request"]);
  some.debug("record settled", { kind: "notification" });
  some.debug("record settled", { kind: "chore" });
  some.debug("work claimed", { queue: "notification" });
  some.debug("request", { path: "/" });
  some.debug("other");
  some.info("other");
  assert.equal(lines.length, 4);
  debugOf(all, ["*"]).debug("other");
  assert.equal(lines.length, 5);
});
