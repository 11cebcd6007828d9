import type { Feature } from "../kernel/feature.ts";
import type { Port, Ports, Provision, Resolved } from "../kernel/port.ts";
import { DaybookError } from "../platform/errors.ts";

/** Who brings what. */
export interface Offered {
  readonly by: string;
  readonly provision: Provision;
}

/** Gives every need its value, made once; refuses a list of features that does not fit together. */
export function resolver(
  features: readonly Feature[],
  offered: readonly Offered[],
): { resolve<P extends Ports>(needs: P): Resolved<P> } {
  const made = new Map<string, unknown>();
  const making = new Set<string>();
  const valueOf = (port: Port): unknown => {
    if (made.has(port.name)) return made.get(port.name);
    if (making.has(port.name)) throw bug(`These ports need each other: ${[...making].join(", ")}.`);
    making.add(port.name);
    const mine = offered.filter(({ provision }) => provision.port.name === port.name);
    const values = mine.map(({ provision }) => provision.make(resolve(provision.needs)));
    const value = port.provided === "by many" ? values : (values[0] ?? port.otherwise?.value);
    making.delete(port.name);
    made.set(port.name, value);
    return value;
  };
  const resolve = <P extends Ports>(needs: P): Resolved<P> =>
    Object.fromEntries(
      Object.entries(needs).map(([name, port]) => [name, valueOf(port)]),
    ) as Resolved<P>;
  check(features, offered);
  return { resolve };
}

function check(features: readonly Feature[], offered: readonly Offered[]): void {
  const order = features.map(({ name }) => name);
  for (const each of offered) checkProvider(each, offered, order);
  for (const each of features) {
    for (const port of needsOf(each)) checkNeed(each.name, port, { offered, order });
  }
}

/** The feature that declares a port is the first part of its name. */
function declarerOf({ name }: Port): string {
  return name.split(".")[0] ?? name;
}

function checkProvider(
  { by, provision }: Offered,
  offered: readonly Offered[],
  order: readonly string[],
): void {
  const { port } = provision;
  const declarer = declarerOf(port);
  const isFeature = order.includes(by);
  const isBelow = isFeature && order.indexOf(by) < order.indexOf(declarer);
  if (isBelow || (isFeature && by === declarer && port.provided === "once")) {
    throw bug(`${by} provides "${port.name}": only a feature after ${declarer} may.`);
  }
  const all = offered.filter((each) => each.provision.port.name === port.name);
  if (port.provided === "by many" || all.length === 1) return;
  throw bug(
    `"${port.name}" is provided twice, by ${all.map((each) => each.by).join(" and ")}: keep one.`,
  );
}

function checkNeed(
  who: string,
  port: Port,
  { offered, order }: { offered: readonly Offered[]; order: readonly string[] },
): void {
  const declarer = declarerOf(port);
  const isKnown = order.slice(0, order.indexOf(who) + 1).includes(declarer);
  if (!isKnown && declarer !== "kernel") {
    throw bug(`${who} needs "${port.name}": put ${declarer} before ${who}.`);
  }
  if (port.otherwise !== undefined) return;
  if (offered.some(({ provision }) => provision.port.name === port.name)) return;
  throw bug(
    `${who} needs "${port.name}", and nothing provides it: add an adapter, or a feature after ${declarer}.`,
  );
}

function needsOf({
  needs = {},
  operations = {},
  provides = [],
  fileWays = [],
}: Feature): readonly Port[] {
  const parts = [...Object.values(operations), ...provides, ...fileWays];
  return [needs, ...parts.map((part) => part.needs)].flatMap((each) => Object.values(each));
}

function bug(message: string): DaybookError {
  return new DaybookError("bug", message);
}
