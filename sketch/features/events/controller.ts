import { controller } from "../../kernel/controller.ts";
import { controllersWith } from "../../kernel/feature.ts";
import { makeTask, runBy, runTypes } from "../tasks/index.ts";
import { event } from "./kind.ts";
import { handlers } from "./settings.ts";

/** Gives an event to its handler: the task is written in the settle that says so. */
export const controllers = controllersWith({ handlers, runTypes }, (ports) => [
  controller({
    name: "router",
    kind: event,
    act: async () => ports.handlers(),
    decide({ id, body, owner }, known, { now: at }) {
      const handler = known.find(({ on }) => on === body.type);
      if (handler === undefined) {
        return {
          ends: "completed",
          outcome: { handler: null, reason: "No handler is configured for it." },
        };
      }
      const { name, run } = handler;
      const by = run === undefined ? { name, input: body.payload } : runBy(ports.runTypes, run);
      const about = { id, handler: name, outside: run === undefined };
      // A lane of its own: so a worker outside can claim this task and no other.
      const lane = run === undefined ? `task-of:${id}` : undefined;
      const task = makeTask({ ...by, at, target: `inbox:${owner}`, event: about }, { lane });
      return {
        state: "dispatched",
        outcome: { handler: name, reason: null },
        consequences: { append: [task] },
      };
    },
  }),
]);
