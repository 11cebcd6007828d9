import type { AnyRecord } from "../../kernel/record.ts";
import type { Appended, Cancelled } from "../../kernel/unit.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import { append } from "./append.ts";
import { cancelOne } from "./cancel.ts";
import { edit } from "./edit.ts";
import { find, look } from "./find.ts";
import { follow } from "./follows.ts";
import type { Model } from "./model.ts";
import { toRecord } from "./row.ts";

export function bookAppend(model: Model, input: Verbs["append"]["input"]): Appended {
  const { who, draft, follows } = input;
  const { fresh, id } = append(model, who, draft);
  if (fresh) follow(model, who, id, follows);
  const row = look(model, who.owner, id);
  return { fresh, id, record: row ? toRecord(row) : null };
}

export function bookEdit(model: Model, input: Verbs["edit"]["input"]): AnyRecord {
  const { who, follows } = input;
  const { id } = input.edit;
  edit(model, who, input.edit);
  follow(model, who, id, follows);
  return recordOf(model, who.owner, id);
}

export function bookCancel(model: Model, input: Verbs["cancel"]["input"]): Cancelled {
  const { who, cancel, follows } = input;
  const { result, wrote } = cancelOne(model, who, cancel);
  if (wrote) follow(model, who, cancel.id, follows);
  return { result, record: recordOf(model, who.owner, cancel.id) };
}

function recordOf(model: Model, owner: string, id: string): AnyRecord {
  return toRecord(find(model, owner, id));
}
