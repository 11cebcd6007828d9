import type * as Package from "ai";
import type { Ran } from "../../features/tasks/runner.ts";
import type { Json } from "../../platform/json.ts";
import { tokensIn, type Budget } from "./agent-budget.ts";

/** The package, as it is when it is loaded. */
export type Ai = typeof Package;
type GenerateOptions = Parameters<Ai["generateText"]>[0];
type Turn = Awaited<ReturnType<Ai["generateText"]>>;
type Messages = NonNullable<GenerateOptions["messages"]>;

interface TurnsOptions {
  readonly ai: Ai;
  readonly model: GenerateOptions["model"];
  readonly system: string;
  readonly goal: string;
  readonly tools: readonly AgentTool[];
  readonly budget: Budget;
  readonly signal: AbortSignal;
  readonly retriesMax: number;
  progress(text: string): void;
}

/**
 * Lets the model work until it is done: a turn is one question and the calls that follow from it.
 * Turns are asked for one by one, so that none is started that the budget does not pay for. Rejects
 * when one is not answered.
 */
export async function takeTurns(talk: TurnsOptions): Promise<{ text: string } | Ran> {
  const { ai, budget: purse, system, goal, signal } = talk;
  const tools = toolsFor(ai, talk.tools);
  const messages: Messages = [{ role: "user", content: goal }];
  let read = tokensIn(system + goal + JSON.stringify(talk.tools));
  for (;;) {
    const next = purse.next(read);
    if ("over" in next) return { result: "failed", reason: next.over, retry: false };
    purse.start();
    const { model, retriesMax } = talk;
    const { outputTokensMax } = next;
    const turn = await ai.generateText({
      model,
      system,
      messages,
      tools,
      abortSignal: signal,
      maxRetries: retriesMax,
      ...(outputTokensMax === undefined ? {} : { maxOutputTokens: outputTokensMax }),
    });
    const added = JSON.stringify(turn.response.messages);
    read = count(turn.usage.inputTokens, read);
    purse.spend({ input: read, output: count(turn.usage.outputTokens, tokensIn(added)) });
    const end = endOf(turn);
    if (end !== undefined) return end;
    signal.throwIfAborted();
    const calls = turn.toolCalls.map(({ toolName }) => toolName).join(", ");
    talk.progress(`turn ${purse.usage().turns}: ${calls}`);
    messages.push(...turn.response.messages);
    read += tokensIn(added);
  }
}

/** A count that the server gave, or ours when it gave none. */
function count(given: number | undefined, ours: number): number {
  return given !== undefined && given > 0 && Number.isFinite(given) ? given : ours;
}

/** How the run ends with this turn; nothing when the model waits for what it called. */
function endOf({ finishReason, toolCalls, text }: Turn): { text: string } | Ran | undefined {
  if (finishReason === "length") {
    return { result: "failed", reason: "the model's answer was cut off: allow it more" };
  }
  if (finishReason === "content-filter") {
    return { result: "failed", reason: "the model's server refused to answer", retry: false };
  }
  if (toolCalls.length === 0) return { text };
  if (finishReason === "tool-calls" || finishReason === "stop") return undefined;
  return { result: "failed", reason: `the model stopped in the middle (${finishReason})` };
}

function toolsFor(
  { tool, jsonSchema }: Ai,
  tools: readonly AgentTool[],
): NonNullable<GenerateOptions["tools"]> {
  const entries = tools.map(({ name, description: words, inputSchema, call }) => [
    name,
    tool({
      description: words,
      inputSchema: jsonSchema<Json>(inputSchema),
      execute: (input, { abortSignal = new AbortController().signal }) => {
        abortSignal.throwIfAborted();
        return call(input, abortSignal);
      },
    }),
  ]);
  return Object.fromEntries(entries) as NonNullable<GenerateOptions["tools"]>;
}

/** Something an agent may ask for. */
export interface AgentTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** As JSON Schema. It is not checked here: `call` gets what the model wrote. */
  readonly inputSchema: { readonly [name: string]: Json | undefined };
  /** What it throws is told to the model. */
  call(input: Json, signal: AbortSignal): Promise<Json>;
}
