import type * as z from "zod";
import type { Book } from "./ledger.ts";
import type { Ports, Resolved } from "./port.ts";
import type { ReadonlyDeep } from "./record.ts";
import type { Language, Texts } from "./texts.ts";

/** Who asks, and their book. There is nothing else in it: what an operation needs besides is a port. */
export interface Context {
  readonly owner: string;
  readonly by: string;
  readonly origin: string | null;
  readonly book: Book;
  readonly now: number;
}

export interface Reader {
  readonly language: Language;
  readonly zone: string;
}

/** One thing that can be asked: HTTP, command line, MCP and library derive from it. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  P extends Ports = Ports,
  T = unknown,
> {
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  /** What `run` answers is encoded by it: times are numbers inside and ISO texts outside. */
  readonly output: Output;
  readonly scope: "read" | "write";
  readonly route: { readonly method: "GET" | "POST" | "DELETE"; readonly path: `/v1/${string}` };
  readonly needs: P;
  readonly texts: Texts<T> | undefined;
  run(
    input: z.output<Input>,
    context: Context,
    ports: Resolved<P>,
  ): Promise<ReadonlyDeep<z.output<Output>>>;
  /** The answer for people. */
  render(output: z.input<Output>, reader: Reader, texts: T): string;
}

type Optional = "needs" | "texts" | "render";

export function operation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  P extends Ports = {},
  T = unknown,
>(
  definition: Omit<Operation<Input, Output, P, T>, Optional> &
    Partial<Pick<Operation<Input, Output, P, T>, Optional>>,
): Operation<Input, Output, P, T> {
  const render = (output: z.input<Output>): string => JSON.stringify(output);
  return { needs: {} as P, texts: undefined, render, ...definition };
}
