import * as z from "zod";
import { defineKind, type Kind, type KindOf } from "../../kernel/kind.ts";

const defined = defineKind({
  name: "workspace",
  body: z.strictObject({ name: z.string(), waiting: z.array(z.string()) }),
  outcome: z.strictObject({ woken: z.array(z.string()) }),
  states: { pending: ["running", "deleted"], running: ["pending", "deleted"] },
  levelTriggered: true,
  holds: ["workspace:"],
});
export interface WorkspaceKind extends KindOf<typeof defined> {}
export const workspace: Kind<WorkspaceKind> = defined;
