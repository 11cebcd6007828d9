import type { TaskDefinition } from "../../features/tasks/index.ts";
import { sleep, systemClock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { errorIn, routeRequest } from "../../platform/route-request.ts";
import { routes } from "./client-routes.ts";
import type { Methods } from "./methods.ts";
import { timeText, untilEnd, type RunHandle, type RunOptions } from "./run-handle.ts";

export { DaybookError, type ErrorCode } from "../../platform/errors.ts";
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
    throw errorIn(read) ?? notDaybook(options);
  };
  const entries = Object.entries(routes).map(([name, route]) => [
    name,
    (input: Input) => ask(route, input),
  ]);
  const methods = Object.fromEntries(entries) as Methods; // a test compares the routes with the table
  return {
    ...methods,
    async run(task: TaskDefinition | string, input: unknown, request: RunOptions = {}) {
      const { at, ...rest } = request;
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

function requestFor([method, path]: Route, input: Input, { url, token }: ConnectOptions): Request {
  const made = routeRequest({ method, path }, input);
  const headers = {
    accept: "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(made.body === undefined ? {} : { "content-type": "application/json" }),
  };
  const whole = `${url.replace(/\/+$/, "")}${made.path}`;
  try {
    return new Request(whole, { method, headers, body: made.body ?? null });
  } catch (cause) {
    const sentence = `"${url}" cannot be asked (${messageOf(cause)}): write it as https://shop.example/daybook.`;
    throw new DaybookError("invalid", sentence, { cause });
  }
}

async function sent({ fetch, url }: ConnectOptions, request: Request): Promise<Response> {
  try {
    return await (fetch === undefined ? globalThis.fetch(request) : fetch(request));
  } catch (cause) {
    const mayBeDone = request.method !== "GET" && !isNobodyThere(cause);
    const sentence = !mayBeDone
      ? `${url} cannot be reached: look whether it runs. (${messageOf(cause)})`
      : `${url} did not answer, and what became of it is not known: look, or ask again with a key.`;
    throw new DaybookError(mayBeDone ? "unknown" : "unavailable", sentence, { cause });
  }
}

/** So nothing was sent. Browsers do not tell. */
function isNobodyThere(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return cause?.code === "ECONNREFUSED";
}

async function bodyOf(answer: Response, options: ConnectOptions): Promise<unknown> {
  try {
    return await answer.json();
  } catch (cause) {
    throw notDaybook(options, cause);
  }
}

function notDaybook({ url }: ConnectOptions, cause?: unknown): DaybookError {
  const sentence = `What answers at ${url} is not Daybook: look at the URL and its path.`;
  return new DaybookError("unavailable", sentence, { cause });
}
