import * as z from "zod";
import { explainPart } from "../../kernel/feature.ts";
import { task } from "./kind.ts";
import { shown, view } from "./operations.ts";
import { texts } from "./texts.ts";

export const explainTask = explainPart({
  key: "run",
  kind: task,
  schemas: { view, cause: z.object({ name: z.string(), slot: z.number().nullable() }) },
  texts,
  build: async (record) => shown(record),
  cause: ({ body }) => ({ name: body.name, slot: body.slot?.at ?? null }),
  lines: ({ name, state }, _reader, t) => [t.ran({ name, state })],
});
