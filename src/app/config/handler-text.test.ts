import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { withHandler } from "./handler-text.ts";

const handler = { subscribes: ["a.b"], run: { command: ["./x.sh", "a: b", "-v", "7"] } };
const written = `subscribes: [a.b]
    run: { command: [./x.sh, "a: b", "-v", "7"] }`;

describe("a handler is written", () => {
  const files: [what: string, before: string, after: string][] = [
    ["into a file that is empty", "", `handlers:\n  n:\n    ${written}\n`],
    [
      "after a file of comments",
      "# one\n\n#two: 2",
      `# one\n\n#two: 2\n\nhandlers:\n  n:\n    ${written}\n`,
    ],
    [
      "after the other settings, which stay unchanged",
      "language:   ko # mine\nlimits: {minGapSeconds: 5}\n",
      `language:   ko # mine\nlimits: {minGapSeconds: 5}\n\nhandlers:\n  n:\n    ${written}\n`,
    ],
    [
      "after the last handler, with the same indent",
      "handlers:\n    # first\n    a: { subscribes: [x] } # mine\n\n# tail\nkeepDays: 5\n",
      `handlers:\n    # first\n    a: { subscribes: [x] } # mine\n    n:\n      ${written.replace("\n", "\n  ")}\n\n# tail\nkeepDays: 5\n`,
    ],
    [
      "after a handler of several lines at the end of the file",
      "handlers:\n  a:\n    subscribes:\n      - x",
      `handlers:\n  a:\n    subscribes:\n      - x\n  n:\n    ${written}\n`,
    ],
    [
      "after an empty handler",
      "handlers:\n  a:\nkeepDays: 5\n",
      `handlers:\n  a:\n  n:\n    ${written}\nkeepDays: 5\n`,
    ],
  ];
  for (const [what, before, after] of files) {
    test(what, () => assert.equal(withHandler(before, "n", handler), after));
  }
  const others = [
    "handlers:\n",
    "handlers: {}\n",
    "handlers: { a: {} } # x\n",
    "{ language: ko }\n",
  ];
  for (const before of others) {
    test(`into ${JSON.stringify(before)}, which is written again`, () => {
      const old = parse(before) as { handlers?: object | null };
      const wanted = { ...old, handlers: { ...old.handlers, n: handler } };
      assert.deepEqual(parse(withHandler(before, "n", handler)), wanted);
    });
  }
  test("with every field, whatever its texts hold", () => {
    const words = ["~", "true", "null", "1e3", '"', "{{payload.x}}", "#", "가", "a\nb", "", "*x"];
    const all = { subscribes: ["a"], run: { command: words }, timeout: "90", channel: "ntfy:a" };
    assert.deepEqual(parse(withHandler("", "n", all)), { handlers: { n: all } });
  });
});
