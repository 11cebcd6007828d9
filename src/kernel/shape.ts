/** The types of one kind's records. The kernel's types are generic over this alone. */
export interface Shape {
  readonly name: string;
  /** The request. */
  readonly body: unknown;
  /** The observations of attempts. */
  readonly outcome: unknown;
  /** The states of a record that has not ended. */
  readonly live: string;
  /** The states of a record that has ended. */
  readonly end: string;
  /** True: its controller may answer that nothing has changed, which writes no history. */
  readonly levelTriggered?: boolean;
}

export type Body<S extends Shape> = S["body"];

export type Outcome<S extends Shape> = S["outcome"];

export type Live<S extends Shape> = S["live"];

export type End<S extends Shape> = S["end"];

export type State<S extends Shape> = Live<S> | End<S>;
