import type { WhenTexts } from "./when.ts";

export const whenEnglish: WhenTexts = {
  emitted: ({ name, type }) => `${type} has happened: ${name}`,
  emittedBefore: ({ name, state, isOther }) =>
    `That was told before${isOther ? " with another payload" : ""}, and is ${state}: ${name}`,
  noEvents: () => "No such events.",
  eventIs: ({ name, type, state, handler }) =>
    `${name}  ${state}  ${type}${handler === null ? "" : ` → ${handler}`}`,
  eventCancelled: (name) => `Nothing is done for ${name} any more.`,
  eventStopping: (name) => `What is being done for ${name} is told to stop.`,
  eventEnded: ({ name, state }) => `${name} was ${state} already.`,

  noTasks: () => "No such tasks.",
  nothingToClaim: () => "There is nothing to do.",
  claimed: ({ id, ticket, until }) => `${id} is yours until ${until}, with the ticket ${ticket}.`,
  keptUntil: ({ id, until, isCancelling }) =>
    isCancelling
      ? `${id} was cancelled: stop, and say how far it came before ${until}.`
      : `${id} is yours until ${until}.`,
  resultTaken: ({ id, state, again }) =>
    again === null ? `${id} is ${state}.` : `${id} is tried again, ${again}; now it is ${state}.`,

  noQuestions: () => "Nobody is asked anything.",
  questionIs: ({ id, handler, text, state }) => `${id}  ${state}  ${handler} asks: ${text}`,
  questionCancelled: (id) => `Nobody waits for an answer to ${id} any more.`,
  questionStopping: (id) => `${id} is being looked at, and ends right after that.`,
  questionEnded: ({ id, state }) => `${id} was ${state} already.`,
  givenAnswer: (answer) => `answered: ${answer}`,

  redriven: ({ of, id }) => `${of} is done once more, as ${id}.`,
  redrivenBefore: ({ of, id }) => `${of} was asked for once more before, as ${id}.`,
  nothingQueued: () => "The queue is empty.",
  queueMoved: ({ id, state }) => `${id} is ${state} now.`,
  queueEdited: (id) => `${id} is changed.`,
  queueCount: ({ what, state, count, oldest }) =>
    `${what}  ${state}  ${count}${oldest === null ? "" : `, the oldest for ${oldest}`}`,
  queueDue: ({ queue, due, later, leased }) =>
    `${queue}  due ${due}, later ${later}, at work ${leased}`,

  subscribes: ({ handler, type }) => `${handler} is the first who subscribes to ${type}`,
  nobodySubscribes: (type) => `nobody subscribes to ${type}: see handlers in the settings`,
  hopsOf: (count) => `${count} events led to it`,
  handledBy: ({ id, state }) => `task ${id}, ${state}`,
  becauseEvent: ({ name, type, state, id }) => `${type} happened: ${name} (${id}), ${state}`,
  becauseQuestion: ({ text, id, state }) => `it was asked "${text}": ${id}, ${state}`,
  waitsForWorker: ({ handler }) =>
    `it waits until a worker takes it: daybook worker claim ${handler}`,
  waitsForAnswer: ({ id, until }) =>
    `it waits for an answer${until === null ? "" : ` until ${until}`}: daybook answer ${id} …`,
  answeredBy: ({ answer, by, resumed }) => `${by} said "${answer}", and ${resumed} goes on`,
};
