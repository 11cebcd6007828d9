import type { Health } from "./health.ts";

export const en = {
  emitted: ({ name, type }: { name: string; type: string }) => `Event ${type} is written: ${name}`,
  emittedBefore: ({ name, state, isOther }: { name: string; state: string; isOther: boolean }) =>
    `This event was written before${isOther ? " with another payload" : ""} and is ${state}: ${name}`,
  noEvents: () => "There are no such events.\nWrite one: daybook event emit TYPE",
  eventCancelled: (name: string) => `Event ${name} is cancelled.`,
  /** Its task is running and is being stopped. */
  eventStopping: (name: string) => `The task of ${name} is being stopped.`,
  eventEnded: ({ name, state }: { name: string; state: string }) => `${name} was already ${state}.`,

  noTasks: () =>
    "There are no such tasks.\nTasks come from schedules (daybook schedule list), from events (daybook event list) and from daybook run TASK.",
  nothingToClaim: () => "There is no task to claim.",
  claimed: ({ id, ticket, until }: { id: string; ticket: string; until: string }) =>
    `You hold ${id} until ${until}. Ticket: ${ticket}`,
  keptUntil: ({ id, until, isCancelling }: { id: string; until: string; isCancelling: boolean }) =>
    isCancelling
      ? `${id} was cancelled: stop, and send its result before ${until}.`
      : `You hold ${id} until ${until}.`,
  /** When the task is retried; null: it has ended. */
  resultTaken: ({ id, state, again }: { id: string; state: string; again: string | null }) =>
    again === null ? `${id} is ${state}.` : `${id} is ${state}. Next attempt: ${again}.`,

  noQuestions: () =>
    "There are no questions.\nInclude those that have ended: daybook question list --all",
  questionIs: (about: { id: string; handler: string; text: string; state: string }) =>
    `${about.id}  ${about.state}  ${about.handler} asks: ${about.text}`,
  questionCancelled: (id: string) => `Question ${id} is cancelled.`,
  /** Its controller has it right now. */
  questionStopping: (id: string) =>
    `Question ${id} is being processed, and is cancelled right after.`,
  questionEnded: ({ id, state }: { id: string; state: string }) => `${id} was already ${state}.`,

  redriven: ({ of, id }: { of: string; id: string }) => `${of} runs again as ${id}.`,
  redrivenBefore: ({ of, id }: { of: string; id: string }) =>
    `${of} was run again before, as ${id}.`,
  nothingQueued: () =>
    "There are no such entries in the queues.\nCount those of all states: daybook queue stats",
  queueMoved: ({ id, state }: { id: string; state: string }) => `${id} is now ${state}.`,
  queueEdited: (id: string) => `${id} was changed.`,
  queueCount: (about: { queue: string; state: string; count: number; oldest: string | null }) =>
    `${about.queue}  ${about.state}  ${about.count}${about.oldest === null ? "" : `, oldest ${about.oldest}`}`,
  queueDue: (about: { name: string; due: number; later: number; leased: number }) =>
    `${about.name}  due ${about.due}, later ${about.later}, running ${about.leased}`,

  /** Why an event goes to its handler. */
  subscribes: ({ handler, type }: { handler: string; type: string }) =>
    `${handler} is the first handler that subscribes to ${type}`,
  nobodySubscribes: (type: string) =>
    `no handler subscribes to ${type}: see handlers in the settings`,
  hopsOf: (count: number) => `events that led to it: ${count}`,
  handledBy: ({ id, state }: { id: string; state: string }) => `task ${id}, ${state}`,
  becauseEvent: (about: { name: string; type: string; state: string; id: string }) =>
    `event ${about.type}: ${about.name}${about.id === about.name ? "" : ` (${about.id})`}, ${about.state}`,
  becauseQuestion: ({ text, id, state }: { text: string; id: string; state: string }) =>
    `question "${text}": ${id}, ${state}`,
  waitsForAnswer: ({ id, until }: { id: string; until: string | null }) =>
    `it waits for an answer${until === null ? "" : ` until ${until}`}: daybook question answer ${id} …`,
  answeredBy: ({ answer, by, resumed }: { answer: string; by: string; resumed: string }) =>
    `${by} answered "${answer}", and ${resumed} resumed the work`,

  subscriptions: {
    added: ({ id, secret, isFresh }: { id: string; secret: string; isFresh: boolean }) =>
      `${isFresh ? "Subscribed" : "Subscribed before"}: ${id}\nSecret that signs the posts: ${secret}`,
    none: "There are no subscriptions.\nCreate one: daybook subscription create URL",
    deleted: "Deleted. No more changes are posted.",
    resumed: (seq: number) => `Resumed after #${seq}.`,
    replayed: (from: number) => `All changes from #${from} on are posted again.`,
  },

  /** The reply to an answer. */
  answers: {
    answered: ({ answer }: { answer: string }) =>
      `This question already has an answer: "${answer}". Nothing changes.`,
    late: "This question is closed: no task waits for the answer.",
    notYours: "The question is for another person: only they can answer.",
    noChoice: (choices: string) => `This is not one of the choices. Choose from: ${choices}.`,
    /** The handler was removed from the settings. */
    nobody: (handler: string) =>
      `The handler "${handler}" is not configured any more, so the work cannot resume.`,
    taken: "The answer is saved, and the work resumes.",
  },

  /** Notices that nobody requested. */
  notices: {
    /** A reminder, in the thread of the question. */
    stillWaits: (question: string) => `⏳ Still waiting for an answer: ${question}`,
    expired: ({ question, days }: { question: string; days: number }) =>
      `⌛ Nobody answered within ${days} days, so the question is closed: ${question}`,
    failing: ({ handler, count, reason }: { handler: string; count: number; reason: string }) =>
      `⚠️ "${handler}" failed ${count} times in a row${tail(reason)}`,
    timeouts: ({ count }: { count: number }) => `⚠️ ${count} runs timed out within the last hour.`,
    /** The type, the wait and the reason are those of the oldest event. */
    stuck: (about: { count: string; type: string; minutes: number; reason: string }) =>
      `⚠️ Events that wait for a handler: ${about.count}. The oldest, ${about.type}, has waited ${about.minutes} minutes${tail(about.reason)}`,
    /** The webhook of a subscription cannot be reached. */
    paused: ({ id, url, reason }: { id: string; url: string; reason: string }) =>
      `⏸️ The subscription to ${url} is paused, because changes could not be delivered (${reason}). To resume where it stopped: daybook subscription resume ${id}`,
    /** The health of a machine has changed. */
    health: ({ host, health, reason }: { host: string; health: Health; reason: string }) =>
      ({
        green: `✅ ${host} is healthy again: all handlers start.`,
        yellow: `⚠️ ${host} is busy, so only urgent handlers start${tail(reason)}`,
        red: `⛔ ${host} is overloaded, so no handlers start${tail(reason)}`,
      })[health],
  },
};

/** The end of a sentence, with the reason if there is one. */
export function tail(reason: string): string {
  return reason === "" ? "." : `: ${reason}`;
}
