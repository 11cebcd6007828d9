import * as z from "zod";
import { explainPart } from "../../kernel/feature.ts";
import { notification } from "./kind.ts";
import { view } from "./operations.ts";
import { texts } from "./texts.ts";

export const explainNotification = explainPart({
  key: "notification",
  kind: notification,
  schemas: { view, cause: z.object({ message: z.string() }) },
  texts,
  build: async (record) => ({ ...record, ...record.body }),
  cause: ({ body }) => ({ message: body.message }),
  lines: ({ target }, _reader, t) => [t.sentTo({ target })],
});
