import * as z from "zod";
import { explainPart, kindActions } from "../../kernel/feature.ts";
import { edit } from "../../kernel/unit.ts";
import { nag } from "./kind.ts";
import { shown, view } from "./operations.ts";
import { texts } from "./texts.ts";

export const explainNag = explainPart({
  key: "nag",
  kind: nag,
  schemas: { view, cause: z.object({ title: z.string(), curve: z.string() }) },
  texts,
  build: async (record) => shown(record),
  cause: ({ body }) => ({ title: body.text, curve: body.curve }),
  lines: ({ sent_count: count }, _reader, t) => [t.sentSoFar({ count })],
});

export const nagActions = kindActions({
  kind: nag,
  async done({ id }, { book }) {
    await book.edit(edit(nag, { id, ends: "done" }));
  },
  upcoming: ({ wakeAt, body }) => (wakeAt === null ? undefined : { at: wakeAt, text: body.text }),
});
