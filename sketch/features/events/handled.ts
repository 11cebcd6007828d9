import { ledgerPort } from "../../kernel/node.ts";
import { provide, port } from "../../kernel/port.ts";
import { edit, joined } from "../../kernel/unit.ts";
import { runHook, runHooks } from "../tasks/index.ts";
import { event } from "./kind.ts";

/** How much this machine has to do: an adapter measures it. */
export const healthPort = port<() => { readonly overloaded: boolean }>("events.health", () => ({
  overloaded: false,
}));

const laterMs = 30_000;

/** Reads the result of a handler's task, and ends its event with it. */
export const handledEvents = provide(
  runHooks,
  { ledger: ledgerPort, health: healthPort },
  ({ ledger, health }) =>
    runHook({
      applies: ({ body }) => body.event !== undefined,
      before: (_task, { now }) =>
        health().overloaded
          ? { state: "pending", wakeAt: now + laterMs, note: "The machine is overloaded." }
          : undefined,
      interpret: (attempt) => {
        const [, reason] = /^failed: (.*)$/.exec(attempt.text) ?? [];
        return reason === undefined ? attempt : { result: "failed", text: reason };
      },
      async read({ owner, by, body }) {
        const found = await ledger.of(owner, by).get(body.event?.id ?? "", event);
        return found?.endedAt === null ? found : undefined;
      },
      finish(verdict, { read: found }) {
        if (found === undefined || !("ends" in verdict)) return verdict;
        const ends = verdict.ends === "failed" ? "failed" : "completed";
        const outcome = {
          handler: null,
          ...found.outcome,
          reason: verdict.outcome?.reason ?? null,
        };
        const ended = { edit: [edit(event, { id: found.id, ends, outcome })] };
        return { ...verdict, consequences: joined(verdict.consequences, ended) };
      },
      waits(verdict, { cancelling, body }) {
        if (!cancelling || body.event === undefined) return verdict;
        return {
          ...verdict,
          consequences: { edit: [edit(event, { id: body.event.id, ends: "cancelled" })] },
        };
      },
      refused: ({ details }, found) => found !== undefined && details["id"] === found.id,
    }),
);
