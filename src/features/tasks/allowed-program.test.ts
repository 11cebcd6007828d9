import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedProgram } from "./allowed-program.ts";

const folder = "/srv/book";

test("a pattern allows only the programs that it names", () => {
  const rows: [pattern: string, allowed: string[], refused: string[]][] = [
    [
      "./jobs/*",
      ["./jobs/a", "jobs/a.sh", "/srv/book/jobs/a", "./jobs/../jobs/a"],
      [
        "./jobs/in/a",
        "./jobs/../other",
        "jobs",
        "/jobs/a",
        "a",
        "./jobs/../../../bin/sh",
        "../jobs/a",
      ],
    ],
    ["./jobs/**", ["./jobs/a", "jobs/in/a"], ["./jobs/../a", "jobsx/a"]],
    ["/usr/bin/rsync", ["/usr/bin/rsync", "/usr/bin/../bin/rsync"], ["rsync", "/usr/bin/rsync2"]],
    ["rsync", ["rsync"], ["./rsync", "/tmp/rsync", "rsync2", "RSYNC", "rsyn"]],
    ["pg_*", ["pg_dump", "pg_"], ["pg/dump", "./pg_dump", "xpg_dump"]],
    ["*", ["sh", "node"], ["./sh", "/bin/sh"]],
    ["a.b", ["a.b"], ["aXb"]],
    ["(a+)+$", ["(a+)+$"], ["aaaa"]],
  ];
  for (const [pattern, allowed, refused] of rows) {
    for (const file of allowed) {
      assert.notEqual(allowedProgram(file, [pattern], folder), undefined, `${pattern}: ${file}`);
    }
    for (const file of refused) {
      assert.equal(allowedProgram(file, [pattern], folder), undefined, `${pattern}: ${file}`);
    }
  }
});

test("an empty list allows no program, and everything allows any valid name", () => {
  assert.equal(allowedProgram("sh", [], folder), undefined);
  assert.equal(allowedProgram("sh", "everything", folder), "sh");
  assert.equal(allowedProgram("./a", "everything", folder), "/srv/book/a");
  for (const file of ["", "a\0b"])
    assert.equal(allowedProgram(file, "everything", folder), undefined);
});
