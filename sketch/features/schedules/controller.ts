import { controller } from "../../kernel/controller.ts";
import { controllersWith } from "../../kernel/feature.ts";
import { makeTask, runBy, runTypes } from "../tasks/index.ts";
import { schedule } from "./kind.ts";

/** Writes the task of a slot and moves the cursor, in one settle. */
export const controllers = controllersWith({ runTypes }, (ports) => [
  controller({
    name: "scheduler",
    kind: schedule,
    act: async () => null,
    decide({ id, body, outcome }, _seen, { now: at }) {
      const nextRunAt = at + body.everyMs;
      const before = outcome ?? { lastRunState: null, failures: 0 };
      const slot = makeTask(
        { ...runBy(ports.runTypes, body.run), at, target: body.target, slot: { schedule: id, at } },
        { key: { name: `slot:${id}:${at}` }, holds: [`run:${id}`] },
      );
      return {
        state: "active",
        wakeAt: nextRunAt,
        outcome: { ...before, nextRunAt },
        consequences: { append: [slot] },
      };
    },
  }),
]);
