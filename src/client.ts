import { sleep, systemClock } from "./base/clock.ts";
import { DaybookError, messageOf, type ErrorCode } from "./base/errors.ts";
import type { Json } from "./base/json.ts";
import { routes } from "./client-routes.ts";
import type { Methods } from "./methods.ts";
import { timeText, untilEnd, type RunHandle, type RunOptions } from "./run-handle.ts";
import type { TaskDefinition } from "./runners/function.ts";

export { DaybookError, type ErrorCode } from "./base/errors.ts";
export type { RunHandle, RunOptions } from "./run-handle.ts";

export interface ConnectOptions {
  /** Where it is served, with its path: `https://shop.example/daybook`. */
  url: string;
  /** A token of the book's; absent where cookies or the program around `fetch` say who asks. */
  token?: string;
  /** How it is asked; the platform's own when absent. */
  fetch?(request: Request): Promise<Response>;
}

/** A book that is served elsewhere: the same methods, over HTTP. */
export interface Remote extends Methods {
  /** Asks for a run of a function over there, by its name or with its types. */
  run<Input, Output>(
    task: TaskDefinition<Input, Output>,
    input: NoInfer<Input>,
    options?: Omit<RunOptions, "origin">,
  ): Promise<RunHandle>;
  run(task: string, input: Json, options?: Omit<RunOptions, "origin">): Promise<RunHandle>;
}

type Input = Readonly<Record<string, unknown>>;
type Route = readonly [method: string, path: string];

/** Needs nothing but `fetch`: for browsers, and for any program that cannot open the book itself. */
export function connect(options: ConnectOptions): Remote {
  const ask = async (route: Route, input: Input): Promise<unknown> => {
    const answer = await sent(options, requestFor(route, input, options));
    const read = await bodyOf(answer, options);
    if (answer.ok) return read;
    throw fromProblem(read, options);
  };
  const entries = Object.entries(routes).map(([name, route]) => [
    name,
    (input: Input) => ask(route, input),
  ]);
  const methods = Object.fromEntries(entries) as Methods; // a test compares the routes with the table
  return {
    ...methods,
    async run(task: TaskDefinition | string, input: unknown, asked: RunOptions = {}) {
      const { at, ...rest } = asked;
      const { id, fresh } = await methods.runTask({
        task: typeof task === "string" ? task : task.name,
        input,
        ...rest,
        ...(at === undefined ? {} : { at: timeText(at) }),
      });
      const clock = systemClock();
      const result: RunHandle["result"] = ({ signal } = {}) =>
        untilEnd(
          () => methods.showRun({ id }),
          (ms) => sleep(clock, ms, signal),
          signal,
        );
      return { id, fresh, result };
    },
  };
}

/** What stands in the path goes there; the rest is the query, or the JSON body. */
function requestFor([method, path]: Route, input: Input, { url, token }: ConnectOptions): Request {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(rest.get(name));
    rest.delete(name);
    return segment(name, text);
  });
  const place = new URL(`${url.replace(/\/+$/, "")}${filled}`);
  const hasBody = method !== "GET" && method !== "DELETE";
  if (!hasBody) for (const [name, value] of rest) addTo(place.searchParams, name, value);
  const headers = {
    accept: "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(hasBody ? { "content-type": "application/json" } : {}),
  };
  const body = hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {};
  return new Request(place, { method, headers, ...body });
}

function addTo(query: URLSearchParams, name: string, value: unknown): void {
  for (const each of Array.isArray(value) ? value : [value]) query.append(name, textOf(each));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A path drops what is empty or made of dots, so it would be another question. */
function segment(name: string, text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text.toWellFormed());
  throw new DaybookError("not_found", `There is nothing with the ${name} "${text}".`);
}

async function sent({ fetch, url }: ConnectOptions, request: Request): Promise<Response> {
  const isLook = request.method === "GET";
  try {
    return await (fetch === undefined ? globalThis.fetch(request) : fetch(request));
  } catch (cause) {
    const sentence = isLook
      ? `${url} cannot be reached: look whether it runs. (${messageOf(cause)})`
      : `${url} did not answer, and what became of it is not known: look, or ask again with a key.`;
    throw new DaybookError(isLook ? "unavailable" : "unknown", sentence, { cause });
  }
}

async function bodyOf(answer: Response, { url }: ConnectOptions): Promise<unknown> {
  try {
    return await answer.json();
  } catch (cause) {
    const sentence = `What answers at ${url} is not Daybook: look at the URL and its path.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly details?: object;
  readonly problems?: unknown;
}

/** The error that was thrown over there. */
function fromProblem(problem: unknown, { url }: ConnectOptions): DaybookError {
  const { code, detail, details, problems } = (problem ?? {}) as Problem;
  if (typeof detail !== "string" || typeof code !== "string") {
    const sentence = `What answers at ${url} is not Daybook: look at the URL and its path.`;
    return new DaybookError("unavailable", sentence);
  }
  return new DaybookError(code as ErrorCode, detail, {
    details: { ...details, ...(problems === undefined ? {} : { problems }) },
  });
}
