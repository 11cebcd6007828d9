import * as z from "zod";
import { explainPart, kindActions } from "../../kernel/feature.ts";
import { schedule } from "./kind.ts";
import { shown, view } from "./operations.ts";
import { texts } from "./texts.ts";

export const explainSchedule = explainPart({
  key: "schedule",
  kind: schedule,
  schemas: { view, cause: z.object({ name: z.string() }) },
  texts,
  build: async (record) => shown(record),
  cause: ({ body }) => ({ name: body.name }),
  lines: ({ name, next_run_at: at }, _reader, t) => [t.runsNext({ name, at })],
});

export const scheduleActions = kindActions({
  kind: schedule,
  async findByName(name, { book }) {
    const live = await book.list({ kind: schedule, live: true });
    return live.find(({ body }) => body.name === name);
  },
  upcoming: ({ wakeAt, body }) => (wakeAt === null ? undefined : { at: wakeAt, text: body.name }),
});
