import { DaybookError } from "../../platform/errors.ts";

/** The mount point of the volume in a machine; also its HOME. */
export const homePath = "/home/daybook";

export const labels = {
  workspace: "daybook.workspace",
  owner: "daybook.owner",
  /** On a volume: the archive that it is restored from. */
  restore: "daybook.restore",
  /** On a helper: it is no machine. */
  helper: "daybook.helper",
  /** On a machine: the hash of its spec. */
  spec: "daybook.spec",
} as const;

export interface Names {
  readonly machine: string;
  readonly volume: string;
  readonly helper: string;
}

/** An id becomes part of names and paths, so it has no special characters. */
const idShape = /^[a-z0-9][a-z0-9-]{0,63}$/u;

export function namesOf(id: string): Names {
  if (!idShape.test(id)) {
    const toDo = "name a workspace by its id, as `daybook list` shows it";
    throw new DaybookError("invalid", `${JSON.stringify(id)} is not a workspace's id: ${toDo}.`);
  }
  const machine = `daybook-ws-${id}`;
  return { machine, volume: `${machine}-home`, helper: `${machine}-helper` };
}

export type Labels = Readonly<Record<string, string>> | null | undefined;

export function isOwned(found: Labels, id: string): boolean {
  return found?.[labels.workspace] === id;
}

/** An object with our name and without our label. */
export function foreignError(what: "container" | "volume", name: string): DaybookError {
  const toDo = `rename or remove that ${what}, and Daybook tries again`;
  return new DaybookError(
    "refused",
    `The ${what} ${name} was not created by Daybook for this workspace, so it is not touched: ${toDo}.`,
    { details: { [what]: name } },
  );
}
