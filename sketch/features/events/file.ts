import * as z from "zod";
import { fileLayout, fileWays } from "../../kernel/files.ts";
import { clockPort } from "../../kernel/node.ts";
import { json } from "../../platform/json.ts";
import { decideEnd, readEnd, runHooks, task, type RunAttempt } from "../tasks/index.ts";
import { event, makeEvent } from "./kind.ts";
import { handlers } from "./settings.ts";

export const eventFiles = fileLayout({
  kind: event,
  folder: "events",
  stateFolder: (state) => (state === "pending" || state === "dispatched" ? state : "completed"),
  view: ({ id, body, state }) => ({ id, type: body.type, payload: body.payload, status: state }),
});

const dropped = z.object({
  id: z.string(),
  type: z.string(),
  payload: z.record(z.string(), json).default({}),
});

export const eventDrops = fileWays(event, {}, () => ({
  async drop(json) {
    const { id, type, payload } = dropped.parse(json);
    return { draft: makeEvent({ type, payload }, id) };
  },
}));

const written = z.object({
  status: z.enum(["success", "failed"]),
  summary: z.string().default(""),
});
const leftAlone: RunAttempt = { result: "failed", text: "The worker went away without a result." };

/** Workers outside claim the tasks of handlers without a run; their results end as every run does. */
export const taskWorkers = fileWays(
  task,
  { handlers, runHooks, clock: clockPort },
  ({ handlers, runHooks, clock }) => ({
    worker: ({ body }) =>
      body.event?.outside ? handlers().find(({ name }) => name === body.event?.handler) : undefined,
    async result(record, json) {
      const { status, summary } =
        json === null ? { status: "failed", summary: "" } : written.parse(json);
      const ran: RunAttempt = {
        result: status === "success" ? "completed" : "failed",
        text: summary,
      };
      const end = await readEnd(record, json === null ? leftAlone : ran, runHooks);
      return decideEnd(record, end, { now: clock.now() });
    },
  }),
);
