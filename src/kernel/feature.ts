import type { Catalogue } from "../platform/sentences.ts";
import type { ChatPart } from "./chat.ts";
import type { ExplainPart } from "./explain.ts";
import type { FileLayout } from "./files.ts";
import type { Host, NodeHost, NodePart } from "./host.ts";
import type { Kind } from "./kind.ts";
import type { Operation } from "./operation.ts";
import type { Provision } from "./port.ts";
import type { RouteContext, RouteTable } from "./route.ts";
import type { TransferPart } from "./transfer.ts";

/** One part of the domain, as one object: the program is composed from a list of features. */
export interface Feature {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Keyed by the name of the library's method. Every interface derives from them. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** The layout of its kinds in the file store. Without one, a kind is shown by its name and state. */
  readonly fileLayouts?: readonly FileLayout[];
  /** What `explain` shows of its kinds. */
  readonly explain?: readonly ExplainPart[];
  /** The actions on its kinds that need only an id or a name. */
  readonly actions?: readonly { readonly kind: Kind }[];
  /** How records of its kinds are exported and imported. */
  readonly transfers?: readonly TransferPart[];
  /** Values of ports: of features before it, and of its own that follow from the settings. */
  provides?(host: Host): readonly Provision[];
  /** Its controllers and services on a node. */
  node?(host: NodeHost): NodePart;
  /** What it answers over HTTP besides its operations; loaded for the first request. */
  routes?(context: RouteContext): Promise<RouteTable>;
  /** The Korean of its errors, by their English sentences; loaded when an error is shown in Korean. */
  errors?(): Promise<{ readonly ko: Catalogue }>;
  /** What it understands in chats; loaded where a chat is configured. */
  chat?(): Promise<ChatPart>;
}

/** Infers the names and types of a feature, for the library and for `explain`. */
export function feature<const F extends Feature>(definition: F): F {
  return definition;
}

/** What several features show in `explain`, as a union. */
export type ExplainPartOf<Features extends readonly Feature[]> = Extract<
  Features[number],
  Required<Pick<Feature, "explain">>
>["explain"][number];

/** What the features show in `explain`, in the order of the features. */
export function explainPartsOf<const Features extends readonly Feature[]>(
  features: Features,
): readonly ExplainPartOf<Features>[] {
  return features.flatMap(({ explain = [] }) => explain);
}

/** The actions of several features on one kind, as a union. */
export type ActionsOf<Features extends readonly Feature[]> = Extract<
  Features[number],
  Required<Pick<Feature, "actions">>
>["actions"][number];

/** The features' actions, a set for each kind, in the order of the features. */
export function actionsOf<const Features extends readonly Feature[]>(
  features: Features,
): readonly ActionsOf<Features>[] {
  return features.flatMap(({ actions = [] }) => actions);
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
