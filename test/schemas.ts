import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { eventFile, taskFile } from "../src/features/events/file.ts";
import { resultSchema } from "../src/features/events/result.ts";
import { messageFile } from "../src/features/notifications/file.ts";

export const schemaFolder = join(import.meta.dirname, "..", "schemas");

const schemas = {
  event: eventFile,
  task: taskFile,
  message: messageFile,
  result: resultFile().describe("How a task ended: the file state/results/{task}.json"),
} as const;

/** A result as it lies in its folder: beside what a worker says, ours have a word of our own. */
function resultFile() {
  const daybook = z.unknown().describe("only in files that Daybook wrote").optional();
  const [first, ...others] = resultSchema.options;
  return z.discriminatedUnion("status", [
    first.extend({ daybook }),
    ...others.map((each) => each.extend({ daybook })),
  ]);
}

/** The JSON Schemas of files that other programs read and write, by the name of their file. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const texts = Object.entries(schemas).map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { io: "input" });
    return [
      `${name}.schema.json`,
      `${JSON.stringify({ title: name, ...json }, null, 2)}\n`,
    ] as const;
  });
  return new Map(texts);
}

if (import.meta.main) {
  for (const [name, text] of schemaFiles()) writeFileSync(join(schemaFolder, name), text);
}
