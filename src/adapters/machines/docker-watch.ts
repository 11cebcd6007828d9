import type { ClientRequest } from "node:http";
import { clampMs } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { EngineOptions, EngineRequest } from "./docker-api.ts";
import { noAnswer, stoppedIn } from "./docker-fault.ts";

/** Looks after one exchange with the engine: it ends in time, and when it is told to. */
export interface Watch {
  /** From now on this is what ends when time is up or we are told to stop. */
  over(outgoing: ClientRequest): void;
  /** Something came: the time begins anew. */
  again(): void;
  /** Nobody waits any more. Answers what was really wrong, if something was. */
  end(error?: unknown): unknown;
}

export function watched({ clock, timeoutMs: usual }: EngineOptions, request: EngineRequest): Watch {
  const { signal, timeoutMs = usual, method, path } = request;
  let outgoing: ClientRequest | undefined;
  let fault: DaybookError | undefined;
  const stop = (error: DaybookError): void => {
    fault ??= error;
    outgoing?.destroy();
  };
  const late = (): void =>
    stop(noAnswer(`it did not answer ${method} ${path} within ${timeoutMs} ms`));
  const abort = (): void => stop(stoppedIn(signal, `${method} ${path}`));
  let cancel = clock.after(clampMs(timeoutMs), late);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return {
    over(given) {
      outgoing = given;
      if (fault !== undefined) given.destroy();
    },
    again() {
      cancel();
      cancel = clock.after(clampMs(timeoutMs), late);
    },
    end(error) {
      cancel();
      signal.removeEventListener("abort", abort);
      return fault ?? (error instanceof DaybookError ? error : noAnswer(error));
    },
  };
}
