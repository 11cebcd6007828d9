import { textsOf as bookTexts } from "../../features/book/index.ts";
import type { Reader } from "../../kernel/operation.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords, span } from "../../time/times.ts";
import { exits, type Command } from "./command.ts";
import type { StatusFacts } from "./facts.ts";
import { inReadersLanguage } from "./problems.ts";
import { columns } from "./terminal-text.ts";
import { textsOf } from "./texts.ts";

export const status: Command = {
  name: "status",
  summary: "Show whether a daemon runs, and what waits.",
  inputs: [],
  hasJson: true,
  async run({ json }, ports) {
    const facts = await ports.status();
    const reader = await ports.reader();
    const text = json
      ? JSON.stringify(facts)
      : renderStatus(await inReadersLanguage(facts, ports), reader);
    ports.out(text);
    return "problem" in facts.book ? exits.unreachable : exits.done;
  },
};

function renderStatus(facts: StatusFacts, reader: Reader): string {
  const { daemon, store, config, leftWorkspaces: left = [] } = facts;
  const texts = textsOf(reader.language);
  // Without settings neither the daemon nor the book can be found; only a running daemon still has older settings.
  if (daemon === null && config.problem !== null) return texts.settingsWrong(config.problem);
  return [
    daemon === null ? texts.noDaemon : daemonLine(daemon, reader),
    ...bookLines(facts, reader),
    ...(left.length > 0 ? [texts.leftWorkspaces(left.join(", "))] : []),
    ...(facts.refused === undefined ? [] : [texts.filesRefused(facts.refused)]),
    texts.configFrom(config.file),
    ...(config.problem === null ? [] : [problemLine(config.problem)]),
    ...(config.needsRestart.length > 0 ? [texts.configNeedsRestart(config.needsRestart)] : []),
  ].join("\n");

  function problemLine(problem: string): string {
    return config.isTakenUp ? texts.schedulesRefused(problem) : texts.configProblem(problem);
  }

  function bookLines({ book }: StatusFacts, { language }: Reader): string[] {
    if ("isInDaemon" in book) return [texts.bookInDaemon(store)];
    if ("problem" in book) return [texts.bookProblem(store, oneLine(book.problem, 300))];
    const rows = book.queues.map(({ queue, due, later, leased, oldestWakeAt }) => [
      queue,
      ...[due, later, leased].map(String),
      oldestWakeAt === null ? "-" : span(Math.max(book.now - oldestWakeAt, 0), language),
    ]);
    const due = book.queues.reduce((sum, each) => sum + each.due, 0);
    const pauses = (book.pauses ?? []).map(({ scope, until, reason }) => {
      const end = until === null ? null : inWords(until, reader.zone, language);
      return bookTexts(language).paused({ scope, until: end, reason });
    });
    return [
      texts.book(store, book.records),
      ...pauses,
      ...(rows.length > 0 ? columns([texts.queueTitles, ...rows]) : [`  ${texts.nothingWaits}`]),
      ...(daemon === null && due > 0 ? [`  ${texts.overdue(due)}`] : []),
    ];
  }
}

function daemonLine(
  daemon: NonNullable<StatusFacts["daemon"]>,
  { language, zone, now }: Reader,
): string {
  const { startedAt } = daemon;
  return textsOf(language).running({
    ...daemon,
    since: inWords(startedAt, zone, language),
    span: span(Math.max(now - startedAt, 0), language),
  });
}
