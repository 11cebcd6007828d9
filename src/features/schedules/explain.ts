import type { Reader } from "../../kernel/operation.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { distance, inWords } from "../../time/times.ts";
import { numbered, runLines } from "../book/explain/causes.ts";
import { restLines } from "../book/explain/pause.ts";
import type { Explained } from "../book/explain/view.ts";
import type { Texts } from "../texts/shape.ts";

const charsMax = 200;
const skips = ["overlap", "budget", "paused"] as const;

type Run = NonNullable<Explained["run"]>;
type Schedule = NonNullable<Explained["schedule"]>;

/** Which run of what, how it ended, and why so. */
export function runHeadline(run: Run, texts: Texts, reader: Reader): string {
  const { id, number, status: state, finished_at: end } = run;
  const when = end === null ? null : `${said(end, reader)} ${reader.zone}`;
  const name = oneLine(run.name, 100);
  const head = texts.runIs({ name, id: numbered(number, id), state, when });
  // Why it was skipped is a rule, and said there in words.
  const isSaid = run.reason === null || state === "skipped";
  return isSaid ? head : `${head}: ${oneLine(texts.reason(run.reason ?? ""), charsMax)}`;
}

/** Why it ran, did not, or waits: overlap, budget, a pause, a question. */
export function runRules({ run, paused }: Explained, texts: Texts, reader: Reader): string[] {
  if (run === null) return [];
  const skip = run.status === "skipped" ? run.reason : null;
  const before = run.run_before === null ? [] : runLines(run.run_before, texts, reader);
  const { input_required: question } = run;
  const asks = question && {
    question: oneLine(question.question, charsMax),
    choices: question.choices.join(" / "),
    id: question.id,
  };
  return [
    ...(skip === null ? [] : [[reasonOf(skip, texts), ...before].join(": ")]),
    ...restLines(paused, texts, reader),
    ...(asks === null ? [] : [texts.asksForAnswer(asks).replaceAll("\n", " ")]),
  ];
}

/** Why a slot was skipped is one of few words, and said in more. */
function reasonOf(reason: string, texts: Texts): string {
  const skip = skips.find((each) => each === reason);
  return skip === undefined ? oneLine(texts.reason(reason), charsMax) : texts.skipped(skip);
}

/** What came of what it said, or why nothing did. */
export function saidLines({ run }: Explained, texts: Texts, reader: Reader): string[] {
  if (run === null) return [];
  const { said: all, status, notify: policy, notify_after_failures: after } = run;
  if (all.length === 0) {
    if (policy === null || run.task === "ping") return [];
    // That it had nothing to do stands in the headline.
    const isSaid = policy === "always" || run.reason !== null;
    if (status === "completed") return isSaid ? [] : [texts.untold(policy)];
    const isFailed = status === "failed" || status === "interrupted";
    return isFailed && after !== null ? [texts.failureUntold(after)] : [];
  }
  return all.map((each) => saidLine(each, texts, reader));
}

/** What came of one thing that was said. */
export function saidLine(each: Run["said"][number], texts: Texts, reader: Reader): string {
  const { id, state, target, ended_at: end, receipt } = each;
  const when = end === null ? null : said(end, reader);
  const head = texts.headline({ kind: "notification", id, state, when, target });
  return `${head}${receiptOf(receipt, texts)}`;
}

export function receiptOf(receipt: unknown, texts: Texts): string {
  return receipt == null ? "" : texts.receipt(oneLine(JSON.stringify(receipt) ?? "", charsMax));
}

/** The newest runs of a schedule, and whether they fail. */
export function recentLines(
  { runs, ...schedule }: Schedule,
  texts: Texts,
  reader: Reader,
): string[] {
  if (runs.length === 0) return [texts.noRuns()];
  const { consecutive_failures: failures } = schedule;
  const lines = runs.flatMap((each) => {
    const reason = each.run?.reason ?? null;
    const why = reason === null ? "" : `: ${reasonOf(reason, texts)}`;
    return runLines(each, texts, reader).map((line) => `${line}${why}`);
  });
  return [...lines, ...(failures === 0 ? [] : [texts.lastFailures(failures)])];
}

/** When a schedule runs next; undefined when that is for its wake time to say. */
export function nextRun(
  { name, status, next }: Schedule,
  texts: Texts,
  { zone, language, now }: Reader,
): string | undefined {
  const [coming] = next;
  if (coming === undefined) {
    const isOff = status === "paused" || status === "disabled";
    return isOff ? texts.waitsForResume(oneLine(name, 100)) : undefined;
  }
  const at = fromIso(coming.utc);
  const far = distance(at - now, language);
  return texts.comes({ when: inWords(at, zone, language), far, isParked: false });
}

function said(at: string, { zone, language }: Reader): string {
  return inWords(fromIso(at), zone, language);
}
