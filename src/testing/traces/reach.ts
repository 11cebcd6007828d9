import type { Step } from "./traces.ts";

const answers = {
  append: ["fresh", "again", "pruned", "conflict", "held", "not_found", "ended", "stale"],
  get: ["record", "nothing"],
  list: ["more", "last", "empty"],
  edit: ["record", "not_found", "ended", "stale", "leased", "held"],
  cancel: ["cancelled", "cancelling", "ended", "not_found"],
  changes: ["some", "none"],
  read: ["bytes", "none", "not_found"],
  claim: ["some", "none", "retry", "lapsed", "nothing left"],
  keep: ["kept", "cancelling", "stale"],
  settle: ["settled", "stale", "moved", "held", "not_found", "conflict", "ended", "leased"],
  move: ["some", "none"],
  write: ["written", "gap", "stale"],
  prune: ["some", "none"],
  inQueue: ["more", "last", "empty"],
  stats: ["queues"],
  row: ["appended", "edited", "kept", "lapsed", "settled", "cancelling", "cancelled"],
  "row by work": ["cancelled", "settled cancelled"],
  "late cancel": ["stopped"],
  hinted: ["some", "none"],
};

/** Every kind of answer that traces must reach, or comparing them would prove little. */
export const everyAnswer: readonly string[] = Object.entries(answers).flatMap(([of, words]) =>
  words.map((word) => `${of}: ${word}`),
);

/** The kinds of answer in a step. */
export function kindsOf({ verb, answer: text }: Step): readonly string[] {
  const { answer, hinted } = JSON.parse(text) as { answer: unknown; hinted: unknown[] };
  const words = Array.isArray(answer) ? answer.flatMap(wordsOf) : wordsOf(answer);
  const ofVerb = words.map((word) => (word.includes(": ") ? word : `${verb}: ${word}`));
  return [...ofVerb, `hinted: ${hinted.length > 0 ? "some" : "none"}`];
}

type Answer = Record<string, unknown>;

function wordsOf(answer: unknown): readonly string[] {
  if (typeof answer === "number") return [answer > 0 ? "some" : "none"];
  if (typeof answer !== "object" || answer === null) return ["nothing"];
  const facts = answer as Answer;
  const { error } = facts;
  if (typeof error === "object" && error !== null && "code" in error) return [String(error.code)];
  return readings.flatMap(([name, read]) => (name in facts ? read(facts) : []));
}

const readings: readonly (readonly [string, (facts: Answer) => readonly string[]])[] = [
  ["fresh", ({ fresh, record }) => [fresh ? "fresh" : record === null ? "pruned" : "again"]],
  ["result", ({ result, cancelling }) => [cancelling ? "cancelling" : String(result)]],
  ["revision", (facts) => ("kind" in facts ? recordWords(facts) : [])],
  ["changes", ({ changes }) => changeWords(changes as Answer[])],
  ["next", ({ next, records }) => pageWords(next, records as Answer[])],
  ["bytes", ({ bytes }) => [(bytes as unknown[]).length > 0 ? "bytes" : "none"]],
  ["nextWakeAt", ({ nextWakeAt, records }) => claimWords(nextWakeAt, records as Answer[])],
  ["queues", ({ queues }) => [(queues as unknown[]).length > 0 ? "queues" : "none"]],
];

function recordWords({ cancelling, state }: Answer): readonly string[] {
  const late = cancelling === true && state === "stopped";
  return late ? ["record", "late cancel: stopped"] : ["record"];
}

function pageWords(next: unknown, records: readonly Answer[]): readonly string[] {
  const page = next === null ? (records.length > 0 ? "last" : "empty") : "more";
  return [page, ...records.flatMap(recordWords)];
}

function claimWords(nextWakeAt: unknown, records: readonly Answer[]): readonly string[] {
  return [
    records.length > 0 ? "some" : "none",
    ...(nextWakeAt === null ? ["nothing left"] : []),
    ...records.flatMap(({ attempt }) => (Number(attempt) > 1 ? ["retry"] : [])),
    ...records.flatMap(({ lapses }) => (Number(lapses) > 0 ? ["lapsed"] : [])),
  ];
}

function changeWords(changes: readonly Answer[]): readonly string[] {
  const rows = changes.flatMap(({ what, state, by }) => [
    `row: ${String(what)}`,
    ...(what === "cancelled" && /^w\d$/.test(String(by)) ? ["row by work: cancelled"] : []),
    ...(what === "settled" && state === "cancelled" ? ["row by work: settled cancelled"] : []),
  ]);
  return [changes.length > 0 ? "some" : "none", ...rows];
}
