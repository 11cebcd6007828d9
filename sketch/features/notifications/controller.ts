import { controller } from "../../kernel/controller.ts";
import { controllersWith } from "../../kernel/feature.ts";
import { needs } from "./channel.ts";
import { notification } from "./kind.ts";

export const controllers = controllersWith(needs, ({ channel }) => [
  controller({
    name: "deliverer",
    kind: notification,
    act: (record) => channel.send(record),
    decide: (_record, seen) =>
      "receipt" in seen
        ? { ends: "delivered", outcome: { receipt: seen.receipt, reason: null } }
        : { ends: "failed", outcome: { receipt: null, reason: seen.failed } },
  }),
]);
