import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordOf } from "../../kernel/own-book.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import { dayOf } from "../../time/zone.ts";
import type { Numbers } from "../notifications/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import { followTask, dispatches, endsUnhandled, waitsFor, type Dispatch } from "./dispatch.ts";
import { type Handler, route } from "./handler.ts";
import type { Health } from "./health.ts";
import { type EventKind, eventKind } from "./kind.ts";
import { isReply, replies, type Reply, questionIn } from "./reply.ts";

type Event = Claimed<EventKind>;

/** What is set, and how the machine is, at this moment. */
export interface RouterSettings {
  /** In the order in which they are asked. */
  readonly handlers: readonly Handler[];
  readonly health: Health;
  /** Why it is so, if it is not well. */
  readonly healthReason?: string | null;
  /** Where work speaks that no chat asked for; null: in the owner's inbox. */
  readonly defaultTarget: string | null;
  /** Tasks of handlers at work at once; null: as many as there are. */
  readonly capacity: number | null;
}

export interface RouterOptions {
  ledger: Ledger;
  profile(owner: string): Promise<Profile>;
  numbers: Numbers;
  settings(): RouterSettings;
}

/** What was seen of an event. */
type Seen =
  | { readonly saw: "handler"; readonly dispatch: Dispatch }
  | { readonly saw: "reply"; readonly reply: Reply }
  | { readonly saw: "nobody"; readonly reason: string }
  | { readonly saw: "not now"; readonly reason: string }
  /** It has a task already. */
  | { readonly saw: "task"; readonly task: LedgerRecord<TaskKind> | undefined };

/** Gives events to handlers: the event, its task and what begins its thread are one unit. */
export function router(options: RouterOptions): Controller<EventKind, Seen> {
  const { ledger, profile, numbers, settings } = options;
  const names = async (
    event: Event,
  ): Promise<{ taskId: string; messageId: string; by: Profile }> => {
    const by = await profile(event.owner);
    const day = dayOf(event.lease.claimedAt, by.zone);
    const taskId = await numbers.label("task", day);
    return { taskId, messageId: await numbers.label("msg", day), by };
  };
  const hear = async (event: Event, isOpen: boolean): Promise<Seen | undefined> => {
    const { origin } = event.body;
    if (!isReply(event) || origin === null) return undefined;
    const question = await questionIn(ledger.of(event.owner, event.by), origin, isOpen);
    if (question === undefined) return undefined;
    const { handlers, capacity } = settings();
    const handler = handlers.find(({ name }) => name === question.body.handler);
    const { by, ...ids } = await names(event);
    return {
      saw: "reply",
      reply: { question, handler, ...ids, capacity, language: by.language },
    };
  };
  const taskOf = ({ owner, by, outcome }: Event) =>
    recordOf(ledger.of(owner, by), taskKind, outcome?.task);
  const look = async (event: Event): Promise<Seen> => {
    if (event.state === "dispatched") return { saw: "task", task: await taskOf(event) };
    // Somebody waits for what this goes on with: it is not kept waiting.
    const answer = await hear(event, true);
    if (answer !== undefined) return answer;
    const { handlers, health, healthReason, defaultTarget, capacity } = settings();
    const checkedRoute = route(event, handlers, health, healthReason);
    if ("wait" in checkedRoute) return { saw: "not now", reason: checkedRoute.wait };
    if ("discard" in checkedRoute) {
      return (await hear(event, false)) ?? { saw: "nobody", reason: checkedRoute.discard };
    }
    const { by: _, ...ids } = await names(event);
    return {
      saw: "handler",
      dispatch: { handler: checkedRoute.handler, ...ids, defaultTarget, capacity },
    };
  };
  return {
    name: "router",
    kind: eventKind,
    pollMs: 10_000,
    act: look,
    decide(event, seen, facts) {
      switch (seen.saw) {
        case "handler":
          return dispatches(event, seen.dispatch, facts);
        case "reply":
          return replies(event, seen.reply, facts);
        case "nobody":
          return endsUnhandled(event, "completed", seen.reason);
        case "not now":
          return waitsFor(event, seen.reason, facts);
        case "task":
          return followTask(event, seen.task, facts);
      }
    },
    // Somebody else's answer was first, or a name was taken.
    reread: (event) => look(event),
  };
}
