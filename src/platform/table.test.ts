import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { widthOf } from "./display-width.ts";
import type { Cell, Layout, Table } from "./table-grid.ts";
import { tableLines } from "./table.ts";

const columns: readonly Layout[] = [
  { label: "ID", isId: true },
  { label: "STATE" },
  { label: "WHEN" },
  { label: "AT", isExtra: true },
  { label: "TO", widthMin: 8 },
  { label: "SENT", isNumber: true },
  { label: "MESSAGE", widthMin: 16 },
  { label: "NOTE", isNote: true },
];
const ids = ["01a1f5bb-4db8-762a-904a-6a6584f7b435", "01a1f5bb-50aa-7063-b24a-41d40b6e6016"];
const english = [
  [ids[0], "pending", "in 2 h", "09:00", "inbox:me", "3", "Buy milk, eggs and bread", ""],
  [ids[1], "failed", "5 min ago", "06:55", "ntfy:phone", "12", "stand-up", "connection refused"],
];
const korean = [
  [
    ids[0],
    "대기 중",
    "2시간 뒤",
    "오전 9:00",
    "inbox:me",
    "3",
    "회의 준비: 발표 자료 만들기 🎉",
    "",
  ],
  [ids[1], "실패", "5분 전", "오전 6:55", "ntfy:phone", "12", "장보기", "연결이 거부됨"],
];

function table(rows: readonly (readonly (string | undefined)[])[]): Table {
  return { columns, rows: rows.map((row) => row.map((text = ""): Cell => ({ text }))) };
}
const at = (width: number | null) => ({ columns: width, color: false });

const layouts: [name: string, table: Table, width: number | null, lines: readonly string[]][] = [
  [
    "a wide terminal has room for all",
    table(english),
    120,
    [
      "ID             STATE    WHEN       AT     TO          SENT  MESSAGE                   NOTE",
      "01a1f5bb-4db8  pending  in 2 h     09:00  inbox:me       3  Buy milk, eggs and bread",
      "01a1f5bb-50aa  failed   5 min ago  06:55  ntfy:phone    12  stand-up                  connection refused",
    ],
  ],
  [
    "with less room a note stands below its row, and the widest text is cut",
    table(english),
    80,
    [
      "ID             STATE    WHEN       AT     TO          SENT  MESSAGE",
      "01a1f5bb-4db8  pending  in 2 h     09:00  inbox:me       3  Buy milk, eggs and…",
      "01a1f5bb-50aa  failed   5 min ago  06:55  ntfy:phone    12  stand-up",
      "  connection refused",
    ],
  ],
  [
    "with still less the extra columns are left out",
    table(english),
    72,
    [
      "ID             STATE    WHEN       TO          SENT  MESSAGE",
      "01a1f5bb-4db8  pending  in 2 h     inbox:me       3  Buy milk, eggs and…",
      "01a1f5bb-50aa  failed   5 min ago  ntfy:phone    12  stand-up",
      "  connection refused",
    ],
  ],
  [
    "a narrow terminal has several lines for a record",
    table(english),
    40,
    [
      "01a1f5bb-4db8  pending  in 2 h",
      "  inbox:me  Buy milk, eggs and bread",
      "01a1f5bb-50aa  failed  5 min ago",
      "  ntfy:phone  stand-up",
      "  connection refused",
    ],
  ],
  [
    "wide letters and emoji take two columns",
    table(korean),
    80,
    [
      "ID             STATE    WHEN      AT         TO          SENT  MESSAGE",
      "01a1f5bb-4db8  대기 중  2시간 뒤  오전 9:00  inbox:me       3  회의 준비: 발표…",
      "01a1f5bb-50aa  실패     5분 전    오전 6:55  ntfy:phone    12  장보기",
      "  연결이 거부됨",
    ],
  ],
  [
    "wide letters on a narrow terminal",
    table(korean),
    40,
    [
      "01a1f5bb-4db8  대기 중  2시간 뒤",
      "  inbox:me  회의 준비: 발표 자료 만들기…",
      "01a1f5bb-50aa  실패  5분 전",
      "  ntfy:phone  장보기",
      "  연결이 거부됨",
    ],
  ],
  [
    "a file gets everything whole, and no header",
    table(english),
    null,
    [
      `${ids[0]}  pending  in 2 h     09:00  inbox:me     3  Buy milk, eggs and bread`,
      `${ids[1]}  failed   5 min ago  06:55  ntfy:phone  12  stand-up  connection refused`,
    ],
  ],
  [
    "one row, whose empty columns are left out",
    table([[ids[0], "pending", "", "", "", "", "hi", ""]]),
    80,
    ["ID             STATE    MESSAGE", "01a1f5bb-4db8  pending  hi"],
  ],
  ["no row", table([]), 80, [""]],
];

describe("a table", () => {
  for (const [name, given, width, lines] of layouts) {
    test(name, () => {
      assert.deepEqual(tableLines(given, at(width)), lines);
    });
  }

  test("elsewhere than at the command line long texts are cut, and ids are whole", () => {
    const message = "x".repeat(100);
    const [line = ""] = tableLines(table([[ids[0], "", "", "", "", "", message, ""]]));
    assert.equal(line, `${ids[0]}  ${"x".repeat(59)}…`);
  });

  test("colours a cell by its tone, and its width stays", () => {
    const cell = (text: string, tone?: Cell["tone"]): Cell => ({ text, tone });
    const given: Table = {
      columns: [{ label: "STATE" }, { label: "MESSAGE" }],
      rows: [
        [cell("failed", "bad"), cell("a")],
        [cell("pending"), cell("b")],
      ],
    };
    assert.deepEqual(tableLines(given, { columns: 80, color: true }), [
      "\u001B[2mSTATE\u001B[0m    \u001B[2mMESSAGE\u001B[0m",
      "\u001B[31mfailed\u001B[0m   a",
      "pending  b",
    ]);
    assert.ok(!tableLines(given, at(80)).join().includes("\u001B"));
  });

  test("never shows what moves a cursor, and has one line for a text of many", () => {
    const [, line] = tableLines(table([["", "", "", "", "", "", "a\n\u001B[2J\tb", ""]]), at(80));
    assert.equal(line, "a �[2J b");
  });

  test("no line is wider than the terminal", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    const row = fc.tuple(...columns.map(() => text));
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 5 }),
        fc.integer({ min: 10, max: 150 }),
        (rows, width) => {
          for (const line of tableLines(table(rows), at(width)))
            assert.ok(widthOf(line) <= width, line);
        },
      ),
    );
  });
});
