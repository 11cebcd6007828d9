import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight } from "../../../test/book-fixture.ts";
import { handClock } from "../../../test/hand-clock.ts";
import { applyDeclared } from "../../features/schedules/declared/apply.ts";
import type { Installation } from "../../kernel/operation.ts";
import { log } from "../../platform/log.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { seededRandom } from "../../platform/random.ts";
import { loadConfig, type Loaded } from "../config/load.ts";
import { daemonHost } from "../host.ts";
import { checkSchedules } from "./check-schedules.ts";

function load(text: string): Loaded {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  const env = { DAYBOOK_TIMEZONE: "Asia/Seoul" };
  return loadConfig({ env, flags: {}, cwd: "/place", isTerminal: false, readText });
}

/** At eight in Seoul. */
function platform(clock = handClock(eight)): PlatformPorts {
  const write = (): void => undefined;
  const lines = log({ write, clock, level: "error", format: "json", color: false });
  return { clock, random: seededRandom(1), log: lines };
}

/** What asks in an empty book under these settings. */
function under({ config }: Loaded): Installation {
  const { ledger, clock } = bookFixture();
  return daemonHost({
    current: () => config,
    ledger,
    platform: platform(clock),
    plugged: [],
    provisions: [],
  });
}

async function check(text: string): Promise<void> {
  await checkSchedules(load(text).config, platform());
}

const day = "when: daily 9am";
const work = "run: { task: work }";
const channels = "Configured: inbox, session, stdout, webhook.";

/** `fine` stands on the second line, `wrong` on the third. */
const refused: readonly (readonly [wrong: string, more: string, says: string])[] = [
  [
    `when: every 5s, ${work}`,
    "",
    "It would fire 5 s after the time before, at 2026-11-15T23:00:10Z: leave at least 1 min between two times.",
  ],
  [
    `cadence: { type: cron, expression: "0,30 9 * * *" }, ${work}`,
    "limits: { minGapSeconds: 3600 }",
    "It would fire 30 min after the time before, at 2026-11-16T00:30:00Z: leave at least 1 h between two times.",
  ],
  [
    `${day}, ${work}`,
    "limits: { schedulesPerOwner: 1 }",
    '"me" may have 1 schedules, and this is one more: remove or delete another one first.',
  ],
  [
    `${day}, run: { command: [./x] }`,
    "",
    "Commands are not allowed here: set DAYBOOK_ALLOW_COMMANDS=1 or runners.command in daybook.yaml.",
  ],
  [
    `${day}, run: { command: [./x] }`,
    "runners: { command: { allow: [./jobs/*] } }",
    '"./x" is not allowed to run here: put it into runners.command.allow in daybook.yaml, or set DAYBOOK_ALLOW_COMMANDS=1.',
  ],
  [
    `${day}, run: { agent: look }`,
    "",
    "No agent is set up here: set runners.agent in daybook.yaml.",
  ],
  [
    `${day}, run: { task: http }`,
    "",
    '"http" is a built-in runner, not a task: make a schedule that has "http" in "run".',
  ],
  [
    `${day}, ${work}, target: ntfy:a`,
    "",
    'Unknown channel "ntfy". Configured: inbox, session, stdout, webhook. Choose one of these, or configure channels.ntfy.',
  ],
  [
    `${day}, ${work}, target: pager:a`,
    "channels: { ntfy: {}, desktop: {}, exec: { lamp: { command: [x] } } }",
    'Unknown channel "pager". Configured: inbox, session, stdout, webhook, ntfy, desktop, exec. Choose one of these, or configure channels.pager.',
  ],
  [
    `${day}, ${work}, target: stdut:a`,
    "",
    `Unknown channel "stdut". ${channels} Did you mean "stdout"?`,
  ],
  [
    `${day}, ${work}, target: inbox:mina`,
    "",
    'The target "inbox:mina" is not yours: name your own inbox, "inbox:me", or all your sessions, "sessions:me".',
  ],
  [
    `cadence: { type: rrule, rule: FREQ=DAILY;UNTIL=20251231T000000Z }, ${work}`,
    "",
    'The recurrence rule "FREQ=DAILY;UNTIL=20251231T000000Z" never fires from now on: correct its days, COUNT, UNTIL or start.',
  ],
  [`${day}, ${work}, timeout: 8d`, "", '"timeout" must be at most 7 d; got 8 d.'],
];

describe("what only shows when a schedule is made", () => {
  for (const [wrong, more, says] of refused) {
    test(`is told alike, with its place, by a check, a dry run and a start: ${wrong} ${more}`, async () => {
      const text = `schedules:\n  fine: { ${day}, ${work} }\n  wrong: { ${wrong} }\n${more}\n`;
      const loaded = load(text);
      const message = `daybook.yaml:3:3  schedules.wrong: ${says}`;
      await assert.rejects(check(text), { code: "invalid", message });
      await assert.rejects(applyDeclared(under(loaded), true), { message });
      await assert.rejects(applyDeclared(under(loaded), false), { message });
    });
  }
  test("is told of every schedule at once", async () => {
    const a = `a: { ${day}, run: { agent: look } }`;
    const b = `b: { when: every 5s, ${work} }`;
    const message =
      /^daybook\.yaml:2:3 {2}schedules\.a: No agent.*\ndaybook\.yaml:4:3 {2}schedules\.b: It would/;
    const text = `schedules:\n  ${a}\n  ok: { ${day}, ${work} }\n  ${b}`;
    await assert.rejects(check(text), { message });
    await assert.rejects(applyDeclared(under(load(text)), false), { message });
  });
  test("is counted for each owner by itself", async () => {
    const one = `{ ${day}, ${work} }`;
    const other = `{ ${day}, ${work}, owner: mina }`;
    const text = `schedules: { a: ${one}, b: ${other} }\nlimits: { schedulesPerOwner: 1 }`;
    await check(text);
  });
  const fine = [
    ["its owner's home", "target: ntfy:a", "owners: { me: { home: ntfy:a } }"],
    ["its owner's inbox", "target: inbox:me", ""],
    ["a webhook, which stands in the book", "target: webhook:wh_1", ""],
  ] as const;
  for (const [what, target, more] of fine) {
    test(`is not ${what}`, async () => {
      const text = `schedules:\n  a: { ${day}, ${work}, ${target} }\n${more}\n`;
      await check(text);
    });
  }
  test("is nothing in a call, a program that may run, or an agent that is set up", async () => {
    const text = `schedules:
  a: { ${day}, run: { http: https://example.org/a }, timeout: 90 }
  b: { ${day}, run: { command: [./jobs/x] } }
  c: { ${day}, run: { agent: look }, budget: { turnsPerRun: 3 } }
runners:
  command: { allow: [all] }
  agent: { baseUrl: https://models.example.org/v1, model: small }
`;
    await check(text);
  });
});
