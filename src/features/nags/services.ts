import type { NodeHost, NodePart } from "../../kernel/host.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import type { Wake } from "../../kernel/unit.ts";
import { profileChange } from "../accounts/index.ts";
import { nagController, nagsAtOnce } from "./controller.ts";
import { nagKind } from "./kind.ts";

export function nagsProvide(): readonly Provision[] {
  return [provide(profileChange, () => nagWakes)];
}

export function nagsOnNode(host: NodeHost): NodePart {
  const controller = nagController({ ...host, profileNow: host.readProfile });
  return { services: [host.run(controller, { concurrency: nagsAtOnce })] };
}

/** How many wakes one unit can carry. */
const wakesMax = 400;

/** A changed profile may move the open hours: wakes for all active nags, in parts of one unit each. */
async function nagWakes(book: Book): Promise<readonly (readonly Wake[])[]> {
  const query = { kind: nagKind, state: "active", live: true } as const;
  const active = await Array.fromAsync(recordsIn(book, query));
  const ids = active.map(({ id }) => ({ id }));
  return Array.from({ length: Math.ceil(ids.length / wakesMax) }, (_, part) =>
    ids.slice(part * wakesMax, (part + 1) * wakesMax),
  );
}
