import { applyDeclared, type MadeSchedules } from "../../features/schedules/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Home } from "./home.ts";

/**
 * Applies the declared schedules of the current settings; a problem with them stops nothing else. Calls run one after
 * another: one that began under older settings must not end last.
 */
export function scheduleApplier(
  installation: Installation,
  platform: PlatformPorts,
  home: Home,
): () => Promise<MadeSchedules> {
  let before: Promise<unknown> = Promise.resolve();
  return async () => {
    const turn = before.then(() => applySchedules(installation, platform, home));
    before = turn.catch(() => undefined); // reported to its own caller
    return turn;
  };
}

async function applySchedules(
  installation: Installation,
  { log }: PlatformPorts,
  home: Home,
): Promise<MadeSchedules> {
  const made = await applied(installation);
  for (const { what, key: schedule, owner } of made.steps) {
    if (what !== "same") log.info("schedule.applied", { what, schedule, owner });
  }
  const refused = made.refused?.message ?? null;
  if (refused !== null) log.error("schedules.refused", { problem: refused });
  const written = home.readDaemon();
  if (written) home.writeDaemon({ ...written, refused });
  return made;
}

async function applied(installation: Installation): Promise<MadeSchedules> {
  try {
    return { steps: await applyDeclared(installation, false) };
  } catch (cause) {
    if (cause instanceof DaybookError) return { steps: [], refused: cause };
    return { steps: [], refused: new DaybookError("bug", messageOf(cause), { cause }) };
  }
}
