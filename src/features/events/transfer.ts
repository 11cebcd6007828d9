import { transferPart } from "../../kernel/transfer.ts";
import { checkEvent, eventKind, nameKeptMs } from "./kind.ts";
import { questionKind } from "./question.ts";

export const transferEvent = transferPart({
  kind: eventKind,
  check: ({ body }) => checkEvent(body),
  // The same name is the same event, also when its record was pruned.
  key: ({ body: { name, at }, createdAt }) => ({
    asked: { name },
    until: Math.max(at, createdAt) + nameKeptMs,
  }),
});

export const transferQuestion = transferPart({ kind: questionKind });
