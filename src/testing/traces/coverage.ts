import type { Step } from "./replay.ts";

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

/** The kinds of answer that the traces must contain, or comparing them would prove little. */
export const everyAnswerKind: readonly string[] = Object.entries(answers).flatMap(([of, kinds]) =>
  kinds.map((word) => `${of}: ${word}`),
);

/** The kinds of answer in a step. */
export function kindsOf({ verb, answer: text }: Step): readonly string[] {
  const { answer, hinted } = JSON.parse(text) as { answer: unknown; hinted: unknown[] };
  const kinds = Array.isArray(answer) ? answer.flatMap(answerKindsOf) : answerKindsOf(answer);
  const ofVerb = kinds.map((word) => (word.includes(": ") ? word : `${verb}: ${word}`));
  return [...ofVerb, `hinted: ${hinted.length > 0 ? "some" : "none"}`];
}

type Answer = Record<string, unknown>;

function answerKindsOf(answer: unknown): readonly string[] {
  if (typeof answer === "number") return [answer > 0 ? "some" : "none"];
  if (typeof answer !== "object" || answer === null) return ["nothing"];
  const facts = answer as Answer;
  const { error } = facts;
  if (typeof error === "object" && error !== null && "code" in error) return [String(error.code)];
  return readers.flatMap(([name, read]) => (name in facts ? read(facts) : []));
}

const readers: readonly (readonly [string, (facts: Answer) => readonly string[]])[] = [
  ["fresh", ({ fresh, record }) => [fresh ? "fresh" : record === null ? "pruned" : "again"]],
  ["result", ({ result, cancelling }) => [cancelling ? "cancelling" : String(result)]],
  ["revision", (facts) => ("kind" in facts ? recordKinds(facts) : [])],
  ["changes", ({ changes }) => changeKinds(changes as Answer[])],
  ["next", ({ next, records }) => pageKinds(next, records as Answer[])],
  ["bytes", ({ bytes }) => [(bytes as unknown[]).length > 0 ? "bytes" : "none"]],
  ["nextWakeAt", ({ nextWakeAt, records }) => claimKinds(nextWakeAt, records as Answer[])],
  ["queues", ({ queues }) => [(queues as unknown[]).length > 0 ? "queues" : "none"]],
];

function recordKinds({ cancelling, state }: Answer): readonly string[] {
  const late = cancelling === true && state === "stopped";
  return late ? ["record", "late cancel: stopped"] : ["record"];
}

function pageKinds(next: unknown, records: readonly Answer[]): readonly string[] {
  const page = next === null ? (records.length > 0 ? "last" : "empty") : "more";
  return [page, ...records.flatMap(recordKinds)];
}

function claimKinds(nextWakeAt: unknown, records: readonly Answer[]): readonly string[] {
  return [
    records.length > 0 ? "some" : "none",
    ...(nextWakeAt === null ? ["nothing left"] : []),
    ...records.flatMap(({ attempt }) => (Number(attempt) > 1 ? ["retry"] : [])),
    ...records.flatMap(({ lapses }) => (Number(lapses) > 0 ? ["lapsed"] : [])),
  ];
}

function changeKinds(changes: readonly Answer[]): readonly string[] {
  const rows = changes.flatMap(({ what, state, by }) => [
    `row: ${String(what)}`,
    ...(what === "cancelled" && /^w\d$/.test(String(by)) ? ["row by work: cancelled"] : []),
    ...(what === "settled" && state === "cancelled" ? ["row by work: settled cancelled"] : []),
  ]);
  return [changes.length > 0 ? "some" : "none", ...rows];
}
