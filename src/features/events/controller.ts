import { recordOf } from "../../kernel/book.ts";
import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import { dayOf } from "../../time/zone.ts";
import type { Numbers } from "../notifications/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import {
  dispatchEvent,
  endUnhandled,
  followTask,
  postponeEvent,
  type Dispatch,
} from "./dispatch.ts";
import { type Handler, route } from "./handler.ts";
import type { Health } from "./health.ts";
import { type EventKind, eventKind } from "./kind.ts";
import { decideReply, isReply, questionIn, type Reply } from "./reply.ts";

type Event = Claimed<EventKind>;

/** The settings of events and the load of the machine, as they are now. */
export interface RouterSettings {
  /** The first one that subscribes to a type gets its events. */
  readonly handlers: readonly Handler[];
  readonly health: Health;
  /** Why the machine is not healthy. */
  readonly healthReason?: string | null;
  /** The target of messages of work that no chat requested; null: the owner's inbox. */
  readonly defaultTarget: string | null;
  /** The most tasks of handlers that run at once; null: any number. */
  readonly capacity: number | null;
}

export interface RouterOptions {
  ledger: Ledger;
  profile(owner: string): Promise<Profile>;
  numbers: Numbers;
  settings(): RouterSettings;
}

/** What to do with an event. */
type Step =
  | { readonly step: "dispatch"; readonly dispatch: Dispatch }
  | { readonly step: "reply"; readonly reply: Reply }
  | { readonly step: "discard"; readonly reason: string }
  | { readonly step: "wait"; readonly reason: string }
  /** It has a task already. */
  | { readonly step: "follow"; readonly task: LedgerRecord<TaskKind> | undefined };

/** Gives events to handlers. */
export function router(options: RouterOptions): Controller<EventKind, Step> {
  const { ledger, profile, numbers, settings } = options;
  const newIds = async (event: Event) => {
    const { zone, language } = await profile(event.owner);
    const day = dayOf(event.lease.claimedAt, zone);
    const taskId = await numbers.label("task", day);
    return { ids: { taskId, messageId: await numbers.label("msg", day) }, language };
  };
  const readReply = async (event: Event, isOpen: boolean): Promise<Step | undefined> => {
    const { origin } = event.body;
    if (!isReply(event) || origin === null) return undefined;
    const question = await questionIn(ledger.of(event.owner, event.by), origin, isOpen);
    if (question === undefined) return undefined;
    const { handlers, capacity } = settings();
    const handler = handlers.find(({ name }) => name === question.body.handler);
    const { ids, language } = await newIds(event);
    return { step: "reply", reply: { question, handler, ...ids, capacity, language } };
  };
  const taskOf = ({ owner, by, outcome }: Event) =>
    recordOf(ledger.of(owner, by), taskKind, outcome?.task);
  const read = async (event: Event): Promise<Step> => {
    if (event.state === "dispatched") return { step: "follow", task: await taskOf(event) };
    // An answer resumes work that a person waits for, so the load of the machine does not matter.
    const reply = await readReply(event, true);
    if (reply !== undefined) return reply;
    const { handlers, health, healthReason, defaultTarget, capacity } = settings();
    const routed = route(event, handlers, health, healthReason);
    if ("wait" in routed) return { step: "wait", reason: routed.wait };
    if ("discard" in routed) {
      return (await readReply(event, false)) ?? { step: "discard", reason: routed.discard };
    }
    const { ids } = await newIds(event);
    return {
      step: "dispatch",
      dispatch: { handler: routed.handler, ...ids, defaultTarget, capacity },
    };
  };
  return {
    name: "router",
    kind: eventKind,
    pollMs: 10_000,
    act: read,
    decide(event, step, facts) {
      switch (step.step) {
        case "dispatch":
          return dispatchEvent(event, step.dispatch, facts);
        case "reply":
          return decideReply(event, step.reply, facts);
        case "discard":
          return endUnhandled(event, "completed", step.reason);
        case "wait":
          return postponeEvent(event, step.reason, facts);
        case "follow":
          return followTask(event, step.task, facts);
      }
    },
    // Another answer was first, or another program took an id.
    observeAgain: (event) => read(event),
  };
}
