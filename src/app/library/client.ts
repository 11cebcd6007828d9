import type { RunArguments, TaskDefinition } from "../../features/tasks/index.ts";
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
  /** Its URL with the path: `https://shop.example/daybook`. */
  url: string;
  /** A token of the book. Absent: cookies or your `fetch` authenticate the caller. */
  token?: string;
  /** Sends a request. Default: the platform's `fetch`. */
  fetch?(request: Request): Promise<Response>;
}

/** A book that another process serves: the same methods over HTTP. */
export interface Remote extends Methods {
  /** Requests a run of a function there, by its name or by its definition with types. */
  run<Input, Output>(
    task: TaskDefinition<Input, Output>,
    ...request: RunArguments<NoInfer<Input>, Omit<RunOptions, "origin">>
  ): Promise<RunHandle>;
  run(task: string, input?: Json, options?: Omit<RunOptions, "origin">): Promise<RunHandle>;
}

type Input = Readonly<Record<string, unknown>>;
type Route = readonly [method: string, path: string];

/** Needs only `fetch`: for browsers, and for any program that cannot open the book itself. */
export function connect(options: ConnectOptions): Remote {
  const call = async (route: Route, input: Input): Promise<unknown> => {
    const answer = await sent(options, requestFor(route, input, options));
    const read = await bodyOf(answer, options);
    if (answer.ok) return read;
    throw errorIn(read) ?? notDaybook(options);
  };
  const entries = Object.entries(routes).map(([name, route]) => [
    name,
    (input: Input) => call(route, input),
  ]);
  const methods = Object.fromEntries(entries) as Methods; // a test compares the routes with the table
  return {
    ...methods,
    async run(task: TaskDefinition | string, input?: unknown, request: RunOptions = {}) {
      const { at, ...rest } = request;
      const { id, fresh } = await methods.runTask({
        task: typeof task === "string" ? task : task.name,
        input,
        ...rest,
        at: at === undefined ? undefined : timeText(at),
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
  const headers = new Headers({ accept: "application/json" });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (made.body !== undefined) headers.set("content-type", "application/json");
  const fullUrl = `${url.replace(/\/+$/, "")}${made.path}`;
  try {
    return new Request(fullUrl, { method, headers, body: made.body ?? null });
  } catch (cause) {
    const sentence = `"${url}" is not a usable URL (${messageOf(cause)}): write one like https://shop.example/daybook.`;
    throw new DaybookError("invalid", sentence, { cause });
  }
}

async function sent({ fetch, url }: ConnectOptions, request: Request): Promise<Response> {
  try {
    return await (fetch === undefined ? globalThis.fetch(request) : fetch(request));
  } catch (cause) {
    const mayBeDone = request.method !== "GET" && !isRefusedConnection(cause);
    const sentence = !mayBeDone
      ? `${url} cannot be reached: check whether it runs. (${messageOf(cause)})`
      : `${url} did not answer, so the result is unknown: check it, or repeat the call with a key.`;
    throw new DaybookError(mayBeDone ? "unknown" : "unavailable", sentence, { cause });
  }
}

/** Then nothing was sent. Browsers do not report it. */
function isRefusedConnection(error: unknown): boolean {
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
  const sentence = `${url} did not answer like Daybook: check the URL and its path.`;
  return new DaybookError("unavailable", sentence, { cause });
}
