/** What the records of one kind look like: the only thing that the types of the kernel are generic over. */
export interface Shape {
  readonly name: string;
  /** What was asked for. */
  readonly body: unknown;
  /** What was seen. */
  readonly outcome: unknown;
  /** The states of a record that has not ended. */
  readonly live: string;
  /** The states that never change. */
  readonly end: string;
  /** Its controller may find that nothing has changed, which writes no history. */
  readonly levelTriggered?: boolean;
}

export type Body<S extends Shape> = S["body"];

export type Outcome<S extends Shape> = S["outcome"];

export type Live<S extends Shape> = S["live"];

export type End<S extends Shape> = S["end"];

export type State<S extends Shape> = Live<S> | End<S>;
