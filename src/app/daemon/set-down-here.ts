import { applySetDown } from "../../features/schedules/operations/declared.ts";
import type { Desk } from "../../kernel/ask.ts";
import type { MadeSchedules } from "../../kernel/operation.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Ground } from "../compose.ts";
import type { Home } from "./home.ts";

/**
 * Makes the schedules as the settings of the moment say; what is wrong with one stops nothing else. One time after
 * the other: what began under older settings must not end last.
 */
export function setDownHere(desk: Desk, ground: Ground, home: Home): () => Promise<MadeSchedules> {
  let before: Promise<unknown> = Promise.resolve();
  return async () => {
    const turn = before.then(() => makeSchedules(desk, ground, home));
    before = turn.catch(() => undefined); // told to whoever asked for it
    return turn;
  };
}

async function makeSchedules(desk: Desk, { log }: Ground, home: Home): Promise<MadeSchedules> {
  const made = await applied(desk);
  for (const { what, key: schedule, owner } of made.steps) {
    if (what !== "same") log.info("schedule.applied", { what, schedule, owner });
  }
  const refused = made.refused?.message ?? null;
  if (refused !== null) log.error("schedules.refused", { problem: refused });
  const written = home.readDaemon();
  if (written) home.writeDaemon({ ...written, refused });
  return made;
}

async function applied(desk: Desk): Promise<MadeSchedules> {
  try {
    return { steps: await applySetDown(desk, false) };
  } catch (cause) {
    if (cause instanceof DaybookError) return { steps: [], refused: cause };
    return { steps: [], refused: new DaybookError("bug", messageOf(cause), { cause }) };
  }
}
