import type { AnyRecord } from "../../kernel/record.ts";
import type { Appended, Cancelled } from "../../kernel/unit.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import { append } from "./append.ts";
import { cancelOne } from "./cancel.ts";
import { writeConsequences } from "./consequences.ts";
import { edit } from "./edit.ts";
import { find, look } from "./find.ts";
import type { Model } from "./model.ts";
import { toRecord } from "./row.ts";

export function bookAppend(model: Model, input: Verbs["append"]["input"]): Appended {
  const { who, draft, consequences } = input;
  const { fresh, id } = append(model, who, draft);
  if (fresh) writeConsequences(model, who, id, consequences);
  const row = look(model, who.owner, id);
  return { fresh, id, record: row ? toRecord(row) : null };
}

export function bookEdit(model: Model, input: Verbs["edit"]["input"]): AnyRecord {
  const { who, consequences } = input;
  const { id } = input.edit;
  edit(model, who, input.edit);
  writeConsequences(model, who, id, consequences);
  return recordOf(model, who.owner, id);
}

export function bookCancel(model: Model, input: Verbs["cancel"]["input"]): Cancelled {
  const { who, cancel, consequences } = input;
  const { result, wrote } = cancelOne(model, who, cancel);
  if (wrote) writeConsequences(model, who, cancel.id, consequences);
  return { result, record: recordOf(model, who.owner, cancel.id) };
}

function recordOf(model: Model, owner: string, id: string): AnyRecord {
  return toRecord(find(model, owner, id));
}
