import type { Json } from "../../platform/json.ts";

/** Something an agent may ask for. */
export interface AgentTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it does, for the model. */
  readonly words: string;
  /** As JSON Schema. It is not checked here: `call` gets what the model wrote. */
  readonly inputSchema: { readonly [name: string]: Json | undefined };
  /** What it throws is told to the model. */
  call(input: Json, signal: AbortSignal): Promise<Json>;
}
