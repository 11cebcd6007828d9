import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { DatabaseSync } from "node:sqlite";
import type { Duplex } from "node:stream";

/**
 * Expands a type completely. The compiler prints the name of a type where it knows one; it knows none for a type
 * inside `As`, so it prints the structure. `type-text.ts` removes `As` from the printed text.
 */
interface As<T> {
  readonly as: T;
}

/** Any JSON value, however it is declared. The type is recursive, so it is not expanded. */
interface AnyJson {
  readonly json: true;
}

/** Types of the platform keep their names. */
type Known =
  | AbortSignal
  | AsyncIterable<unknown>
  | DatabaseSync
  | Date
  | Duplex
  | Error
  | Http2ServerRequest
  | Http2ServerResponse
  | IncomingMessage
  | RegExp
  | Request
  | Response
  | ServerResponse
  | Uint8Array;

type Scalar = string | number | boolean | null;

type Expand<T> = unknown extends T
  ? T
  : [Scalar | []] extends [T]
    ? AnyJson | Extract<T, undefined>
    : Each<T>;

type Each<T> = T extends string | number | boolean
  ? As<T>
  : T extends Known
    ? T
    : T extends Promise<infer Value>
      ? Promise<As<Expand<Value>>>
      : T extends readonly unknown[]
        ? { [At in keyof T]: As<Expand<T[At]>> }
        : T extends (...args: infer Args) => infer Result
          ? (...args: { [At in keyof Args]: As<Expand<Args[At]>> }) => As<Expand<Result>>
          : T extends object
            ? { [Name in keyof T]: As<Expand<Property<T, Name>>> }
            : T;

/** Removes `undefined` where it only marks an optional property. */
type Property<T, Name extends keyof T> =
  { [Each in Name]: undefined } extends Pick<T, Name> ? T[Name] : Exclude<T[Name], undefined>;

export declare function expand<T>(): As<Expand<T>>;

// oxlint-disable typescript/no-unnecessary-type-parameters -- this is how to compare two types exactly
type IsSame<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters

/** The names of properties that both types have, with different types. */
export type Different<A, B> = {
  [Name in keyof A & keyof B]: IsSame<A[Name], B[Name]> extends true ? never : Name;
}[keyof A & keyof B];
