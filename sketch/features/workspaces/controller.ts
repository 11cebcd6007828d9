import { controller } from "../../kernel/controller.ts";
import { controllersWith } from "../../kernel/feature.ts";
import { workspace } from "./kind.ts";
import { needs } from "./machines.ts";

const observeMs = 60_000;

/** Observes, acts, observes again. Converged means that nothing is written. */
export const controllers = controllersWith(needs, ({ machines }) => [
  controller({
    name: "workspaces",
    kind: workspace,
    async act({ id }) {
      if (!(await machines.isRunning(id))) await machines.start(id);
      return { running: await machines.isRunning(id) };
    },
    decide({ body, outcome, state }, { running }, { now }) {
      const { woken = [] } = outcome ?? {};
      const wake = running ? body.waiting.filter((id) => !woken.includes(id)) : [];
      const isSame = running === (state === "running") && wake.length === 0;
      if (isSame) return { unchanged: now + observeMs };
      return {
        state: running ? "running" : "pending",
        wakeAt: now + observeMs,
        outcome: { woken: [...woken, ...wake] },
        consequences: { wake: wake.map((id) => ({ id })) },
      };
    },
  }),
]);
