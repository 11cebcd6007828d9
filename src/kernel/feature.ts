import type { ExplainPart } from "./explain.ts";
import type { FileLayout } from "./files.ts";
import type { Host, NodeHost, NodePart } from "./host.ts";
import type { Kind } from "./kind.ts";
import type { Operation } from "./operation.ts";
import type { Provision } from "./port.ts";
import type { RouteContext, RouteTable } from "./route.ts";

/** One part of the domain, as one object: the program is put together from a list of them. */
export interface Feature {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** By the name of the library's method. Every interface derives from them. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** How the file store shows its kinds; the others are shown by their name and state. */
  readonly fileLayouts?: readonly FileLayout[];
  /** What `explain` shows of its kinds. */
  readonly explain?: readonly ExplainPart[];
  /** What can be done to its kinds by an id or a name alone. */
  readonly actions?: readonly { readonly kind: Kind }[];
  /** Values of ports: of features before it, and of its own that follow from the settings. */
  provides?(host: Host): readonly Provision[];
  /** What it does by itself where records are worked on. */
  node?(host: NodeHost): NodePart;
  /** What it answers over HTTP besides its operations; loaded for the first request. */
  routes?(context: RouteContext): Promise<RouteTable>;
}

/** Keeps the names and types of what a feature has, for the library and for `explain`. */
export function feature<const F extends Feature>(definition: F): F {
  return definition;
}

/** What each of several features has under one name, in their order. */
export type ListOf<
  Features extends readonly Feature[],
  Name extends "explain" | "actions",
> = Features extends readonly [infer First, ...infer Rest extends readonly Feature[]]
  ? [
      ...(First extends { readonly [N in Name]: infer List extends readonly unknown[] }
        ? List
        : []),
      ...ListOf<Rest, Name>,
    ]
  : [];

export function listOf<
  const Features extends readonly Feature[],
  const Name extends "explain" | "actions",
>(features: Features, name: Name): ListOf<Features, Name> {
  const list: readonly unknown[] = features.flatMap((each) => [...(each[name] ?? [])]);
  return list as ListOf<Features, Name>; // in the features' order, as the type reads them
}

/** The operations of several features, by their names in the library. */
export type OperationsOf<Features extends readonly Feature[]> = Merged<
  Features[number]["operations"]
>;

/** Of a union of objects, one that has the keys of all. */
export type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export function operationsOf<const Features extends readonly Feature[]>(
  features: Features,
): OperationsOf<Features> {
  const named = features.flatMap(({ operations }) => Object.entries(operations));
  const twice = named.find(
    ([name], index) => named.findIndex(([other]) => other === name) !== index,
  );
  if (twice !== undefined) throw new Error(`Two features have an operation "${twice[0]}".`);
  return Object.fromEntries(named) as OperationsOf<Features>; // the features' own names and types
}
