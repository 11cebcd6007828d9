import { controller } from "../../kernel/controller.ts";
import { controllersWith } from "../../kernel/feature.ts";
import { ledgerPort } from "../../kernel/node.ts";
import { makeNotification, notification } from "../notifications/index.ts";
import { waitMs } from "./curve.ts";
import { nag } from "./kind.ts";
import { curves } from "./settings.ts";

const needs = { ledger: ledgerPort, curves };

/** Sends a notification and waits without a wake time: its end, whatever write that is, wakes the nag. */
export const controllers = controllersWith(needs, ({ ledger, curves }) => [
  controller({
    name: "nagger",
    kind: nag,
    async act({ owner, by, outcome }) {
      const id = outcome?.sending ?? null;
      return { sent: id === null ? undefined : await ledger.of(owner, by).get(id, notification) };
    },
    decide({ body, outcome, id, state }, { sent }, { now }) {
      const { count = 0 } = outcome ?? {};
      if (state !== "active") return { state: "paused" };
      if (sent === undefined) {
        const sending = `${id}-${count + 1}`;
        const message = makeNotification(
          { message: body.text, target: body.target, at: now },
          { id: sending, wakesParent: true },
        );
        return {
          state: "active",
          outcome: { count: count + 1, sending },
          consequences: { append: [message] },
        };
      }
      if (sent.endedAt === null) return { state: "active" };
      const wakeAt = now + waitMs(curves().get(body.curve) ?? [], count);
      return { state: "active", wakeAt, outcome: { count, sending: null } };
    },
  }),
]);
