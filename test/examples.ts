import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../src/features/index.ts";
import { exampleRunId } from "../src/features/tasks/operations/inputs.ts";
import { callOperation } from "../src/kernel/call.ts";
import { exampleId, type Context } from "../src/kernel/operation.ts";
import { ids } from "../src/platform/ids.ts";
import { seededRandom } from "../src/platform/random.ts";
import { memory } from "../src/stores/memory/memory.ts";
import { bookFixtureOn, eight } from "./book-fixture.ts";
import { exampleContext, prepareExample, type ExampleName } from "./example-books.ts";
import { handClock } from "./hand-clock.ts";

export const examplesFile = join(import.meta.dirname, "..", "src/interfaces/http/examples.json");

/** What each operation answers to its example, by the name of the operation. */
export async function recordedAnswers(): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  for (const [name, { name: operation, example }] of Object.entries(operations)) {
    if (example !== undefined) answers[operation] = await answerOf(name as ExampleName);
  }
  return answers;
}

const again = "019a8d41-0b7c-7f31-8a55-6c7d8e9fa0b1";

/** The id of the record that an example creates, where it is not the usual one. */
const createdIds: Partial<Record<ExampleName, string>> = {
  retry: again,
  resendRun: again,
  runTask: exampleRunId,
  runScheduleNow: exampleRunId,
};

type Typed = (example: object, context: Context) => object | Promise<object>;

/**
 * Runs the example in a book of its own, in which time and random numbers are always the same. `typed` may change the
 * input.
 */
export async function answerOf(name: ExampleName, typed: Typed = same): Promise<unknown> {
  const clock = handClock(eight);
  const random = seededRandom(1);
  const nextId = ids(clock, random);
  const given: string[] = [];
  const ledger = memory({ now: clock.wall, ids: () => given.pop() ?? nextId() });
  const fixture = bookFixtureOn(ledger, clock, random);
  await prepareExample(name, fixture);
  given.push(createdIds[name] ?? exampleId);
  const context = exampleContext(fixture);
  const operation = operations[name];
  const input = await typed(operation.example ?? {}, context);
  return (await callOperation(context, operation, input, context)).output;
}

function same(example: object): object {
  return example;
}

if (import.meta.main) {
  writeFileSync(examplesFile, `${JSON.stringify(await recordedAnswers(), null, 2)}\n`);
}
