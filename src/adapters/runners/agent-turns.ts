import type * as Package from "ai";
import type { Ran } from "../../features/tasks/index.ts";
import { type Json, present } from "../../platform/json.ts";
import { tokensIn, type Budget } from "./agent-budget.ts";

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
 * Lets the model work until it is done: a turn is one request and the tool calls that follow from it.
 * Turns are requested one by one, so that the budget is checked before each. Rejects when one fails.
 */
export async function takeTurns(options: TurnsOptions): Promise<{ text: string } | Ran> {
  const { ai, budget, system, goal, signal } = options;
  const tools = toolsFor(ai, options.tools);
  const messages: Messages = [{ role: "user", content: goal }];
  let read = tokensIn(system + goal + JSON.stringify(options.tools));
  for (;;) {
    const next = budget.next(read);
    if ("over" in next) return { result: "failed", reason: next.over, retry: false };
    budget.start();
    const { model, retriesMax } = options;
    const turn = await ai.generateText({
      model,
      system,
      messages,
      tools,
      abortSignal: signal,
      maxRetries: retriesMax,
      ...present({ maxOutputTokens: next.outputTokensMax }),
    });
    const added = JSON.stringify(turn.response.messages);
    read = count(turn.usage.inputTokens, read);
    budget.spend({ input: read, output: count(turn.usage.outputTokens, tokensIn(added)) });
    const end = endOf(turn);
    if (end !== undefined) return end;
    signal.throwIfAborted();
    const calls = turn.toolCalls.map(({ toolName }) => toolName).join(", ");
    options.progress(`turn ${budget.usage().turns}: ${calls}`);
    messages.push(...turn.response.messages);
    read += tokensIn(added);
  }
}

/** The server's count, or ours without one. */
function count(given: number | undefined, ours: number): number {
  return given !== undefined && given > 0 && Number.isFinite(given) ? given : ours;
}

/** The end of the run after this turn; undefined when the model waits for its tool calls. */
function endOf({ finishReason, toolCalls, text }: Turn): { text: string } | Ran | undefined {
  if (finishReason === "length") {
    return { result: "failed", reason: "the model's answer was cut off: allow more output tokens" };
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
  const entries = tools.map(({ name, description, inputSchema, call }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema<Json>(inputSchema),
      execute: (input, { abortSignal = new AbortController().signal }) => {
        abortSignal.throwIfAborted();
        return call(input, abortSignal);
      },
    }),
  ]);
  return Object.fromEntries(entries) as NonNullable<GenerateOptions["tools"]>;
}

/** A tool of an agent. */
export interface AgentTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema. `call` gets the model's input unchecked. */
  readonly inputSchema: { readonly [name: string]: Json | undefined };
  /** Errors are sent to the model. */
  call(input: Json, signal: AbortSignal): Promise<Json>;
}
