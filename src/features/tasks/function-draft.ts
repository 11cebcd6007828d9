import type { DraftOf, Key } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { makeTask, type TaskKind } from "./kind.ts";
import type { TaskDefinition } from "./task-definition.ts";

/** A run of a function, as it is asked for. */
export function taskDraft(
  { name, timeoutMs, retry }: Pick<TaskDefinition, "name" | "timeoutMs" | "retry">,
  input: unknown,
  request: { at: number; target: string; origin: string | null; key?: string | undefined },
): DraftOf<TaskKind> {
  const { at, target, origin, key } = request;
  const plain = plainJson(input);
  if (plain === undefined) throw new DaybookError("invalid", "The input must be plain JSON.");
  const body = { name, input: plain, at, target, origin, timeoutMs, retry };
  return makeTask(body, key === undefined ? {} : { key: keyOf(key, name, plain) });
}

function keyOf(key: string, name: string, input: Json): Key {
  return { name: key, asked: { name, input } };
}

/** As it would be read back; undefined when it cannot be written. */
export function plainJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
