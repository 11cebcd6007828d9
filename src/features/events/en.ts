import type { Health } from "./health.ts";

export const en = {
  emitted: ({ name, type }: { name: string; type: string }) => `${type} has happened: ${name}`,
  emittedBefore: ({ name, state, isOther }: { name: string; state: string; isOther: boolean }) =>
    `That was told before${isOther ? " with another payload" : ""}, and is ${state}: ${name}`,
  noEvents: () => "No such events.",
  eventIs: (about: { name: string; type: string; state: string; handler: string | null }) =>
    `${about.name}  ${about.state}  ${about.type}${about.handler === null ? "" : ` → ${about.handler}`}`,
  eventCancelled: (name: string) => `Nothing is done for ${name} any more.`,
  /** Its task is at work, and is being stopped. */
  eventStopping: (name: string) => `What is being done for ${name} is told to stop.`,
  eventEnded: ({ name, state }: { name: string; state: string }) => `${name} was ${state} already.`,

  noTasks: () => "No such tasks.",
  nothingToClaim: () => "There is nothing to do.",
  claimed: ({ id, ticket, until }: { id: string; ticket: string; until: string }) =>
    `${id} is yours until ${until}, with the ticket ${ticket}.`,
  keptUntil: ({ id, until, isCancelling }: { id: string; until: string; isCancelling: boolean }) =>
    isCancelling
      ? `${id} was cancelled: stop, and say how far it came before ${until}.`
      : `${id} is yours until ${until}.`,
  /** Null: it has ended; else when it is tried again. */
  resultTaken: ({ id, state, again }: { id: string; state: string; again: string | null }) =>
    again === null ? `${id} is ${state}.` : `${id} is tried again, ${again}; now it is ${state}.`,

  noQuestions: () => "Nobody is asked anything.",
  questionIs: (about: { id: string; handler: string; text: string; state: string }) =>
    `${about.id}  ${about.state}  ${about.handler} asks: ${about.text}`,
  questionCancelled: (id: string) => `Nobody waits for an answer to ${id} any more.`,
  /** It is being looked at. */
  questionStopping: (id: string) => `${id} is being looked at, and ends right after that.`,
  questionEnded: ({ id, state }: { id: string; state: string }) => `${id} was ${state} already.`,

  redriven: ({ of, id }: { of: string; id: string }) => `${of} is done once more, as ${id}.`,
  redrivenBefore: ({ of, id }: { of: string; id: string }) =>
    `${of} was asked for once more before, as ${id}.`,
  nothingQueued: () => "The queue is empty.",
  queueMoved: ({ id, state }: { id: string; state: string }) => `${id} is ${state} now.`,
  queueEdited: (id: string) => `${id} is changed.`,
  queueCount: (about: { what: string; state: string; count: number; oldest: string | null }) =>
    `${about.what}  ${about.state}  ${about.count}${about.oldest === null ? "" : `, the oldest for ${about.oldest}`}`,
  queueDue: (about: { queue: string; due: number; later: number; leased: number }) =>
    `${about.queue}  due ${about.due}, later ${about.later}, at work ${about.leased}`,

  /** Why an event goes to whom, and what it waits for. */
  subscribes: ({ handler, type }: { handler: string; type: string }) =>
    `${handler} is the first who subscribes to ${type}`,
  nobodySubscribes: (type: string) => `nobody subscribes to ${type}: see handlers in the settings`,
  hopsOf: (count: number) => `${count} events led to it`,
  handledBy: ({ id, state }: { id: string; state: string }) => `task ${id}, ${state}`,
  becauseEvent: (about: { name: string; type: string; state: string; id: string }) =>
    `${about.type} happened: ${about.name} (${about.id}), ${about.state}`,
  /** What was asked of a person. */
  becauseQuestion: ({ text, id, state }: { text: string; id: string; state: string }) =>
    `it was asked "${text}": ${id}, ${state}`,
  waitsForAnswer: ({ id, until }: { id: string; until: string | null }) =>
    `it waits for an answer${until === null ? "" : ` until ${until}`}: daybook answer ${id} …`,
  answeredBy: ({ answer, by, resumed }: { answer: string; by: string; resumed: string }) =>
    `${by} said "${answer}", and ${resumed} goes on`,

  /** Who is told of changes. */
  subscriptions: {
    added: ({ id, secret, isFresh }: { id: string; secret: string; isFresh: boolean }) =>
      `${isFresh ? "Subscribed" : "Subscribed before"}: ${id}\nSecret that signs what is sent: ${secret}`,
    none: "Nobody hears of changes.",
    /** Why the last change did not arrive; null: it did. */
    line: (about: {
      id: string;
      state: string;
      url: string;
      kinds: string;
      seq: number;
      reason: string | null;
    }) =>
      `${about.id}  ${about.state === "paused" ? "rests" : "active"}  ${about.url}  ${about.kinds}  #${about.seq}${about.reason === null ? "" : `  ${about.reason}`}`,
    deleted: "Deleted. Nothing more is told.",
    resumed: (seq: number) => `It goes on after #${seq}.`,
    replayed: (from: number) => `All from #${from} on is told again.`,
  },

  /** What became of an answer to a question. */
  answers: {
    answered: ({ answer }: { answer: string }) =>
      `It was answered before: "${answer}". That answer stands.`,
    late: "Nobody waits for this answer any more.",
    notYours: "Somebody else was asked: only they can answer.",
    noChoice: (choices: string) => `That is none of the choices: say ${choices}.`,
    /** Nobody is there who could go on. */
    nobody: (handler: string) => `"${handler}" is not set up here any more, so nobody can go on.`,
    taken: "The answer is passed on, and it goes on.",
  },

  /** What is sent without anybody having asked. */
  notices: {
    /** Of a question that was asked before, in the same thread. */
    stillWaits: (question: string) => `⏳ Still waiting for an answer: ${question}`,
    /** Nobody is waited for any more. */
    expired: ({ question, days }: { question: string; days: number }) =>
      `⌛ Nobody answered within ${days} days, and nobody waits any more: ${question}`,
    /** A handler fails again and again. */
    failing: ({ handler, count, reason }: { handler: string; count: number; reason: string }) =>
      `⚠️ "${handler}" failed ${count} times in a row${tail(reason)}`,
    /** Many runs took too long within an hour. */
    timeouts: ({ count }: { count: number }) =>
      `⚠️ ${count} runs took too long within the last hour.`,
    /** Events wait for somebody to begin with them; of the oldest, what it is and why it waits. */
    stuck: (about: { count: string; type: string; minutes: number; reason: string }) =>
      `⚠️ Events wait to be handled: ${about.count}. The oldest, ${about.type}, waits for ${about.minutes} minutes${tail(about.reason)}`,
    /** A program that wanted to hear of changes cannot be reached. */
    paused: ({ id, url, reason }: { id: string; url: string; reason: string }) =>
      `⏸️ ${url} could not be told of changes, so the subscription rests (${reason}). It goes on from there when it is told to: daybook subscription resume ${id}`,
    /** How much a machine has to do has changed. */
    health: ({ host, health, reason }: { host: string; health: Health; reason: string }) =>
      ({
        green: `✅ ${host} is well again: all work is begun.`,
        yellow: `⚠️ ${host} has much to do, and only what is urgent is begun${tail(reason)}`,
        red: `⛔ ${host} has too much to do, and no work is begun${tail(reason)}`,
      })[health],
  },
};

/** What a reason adds to a sentence. */
export function tail(reason: string): string {
  return reason === "" ? "." : `: ${reason}`;
}
