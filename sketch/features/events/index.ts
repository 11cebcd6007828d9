import * as z from "zod";
import { explainPart, feature } from "../../kernel/feature.ts";
import { texts } from "../../kernel/texts.ts";
import { runTypes } from "../tasks/index.ts";
import { eventDrops, eventFiles, taskWorkers } from "./file.ts";
import { handledEvents, healthPort } from "./handled.ts";
import { event } from "./kind.ts";
import { cancel, emitEvent, list, show, shown, view } from "./operations.ts";
import { handlers } from "./settings.ts";

export { healthPort } from "./handled.ts";

const en = { happened: ({ type }: { type: string }) => `${type} happened.` };

const explainEvent = explainPart({
  key: "event",
  kind: event,
  schemas: { view, cause: z.object({ type: z.string() }) },
  texts: texts(en, { ko: async () => ({ happened: ({ type }) => `${type} 발생` }) }),
  build: async (record) => shown(record),
  cause: ({ body }) => ({ type: body.type }),
  lines: ({ type }, _reader, t) => [t.happened({ type })],
});

export const events = feature({
  name: "events",
  kinds: [event],
  operations: { emitEvent, listEvents: list, showEvent: show, cancelEvent: cancel },
  needs: { runTypes, handlers, healthPort },
  controllers: () => import("./controller.ts"),
  settings: handlers,
  provides: [handledEvents],
  fileLayouts: [eventFiles],
  fileWays: [eventDrops, taskWorkers],
  explain: [explainEvent],
});
