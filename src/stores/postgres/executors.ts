/** Runs SQL on the caller's connection, in the caller's transaction. It takes text and parameters, so that any driver
 * can be adapted in a few lines. */
export interface Executor {
  query(text: string, params: readonly Param[]): Promise<readonly Fields[]>;
}

export type Param = string | number | boolean | null | Uint8Array;
/** A row as the driver returns it: large numbers may be text. */
export type Fields = Readonly<Record<string, unknown>>;

/** A transaction of the `postgres` package: what `sql.begin` hands over. */
export function fromPostgres(sql: {
  unsafe(text: string, params: never[], options: { prepare: boolean }): PromiseLike<object>;
}): Executor {
  return {
    query: async (text, params) =>
      (await sql.unsafe(text, params as never[], { prepare: true })) as readonly Fields[],
  };
}

/** A client of the `pg` package, between its `begin` and its `commit`. */
export function fromPg(client: {
  query(text: string, params: unknown[]): Promise<{ rows: unknown[] }>;
}): Executor {
  return {
    query: async (text, params) =>
      (await client.query(text, [...params])).rows as readonly Fields[],
  };
}

/** A Kysely transaction over PostgreSQL; `raw` is `CompiledQuery.raw`. */
export function fromKysely<Query>(
  transaction: { executeQuery(query: Query): Promise<{ rows: unknown[] }> },
  raw: (text: string, params: unknown[]) => Query,
): Executor {
  return {
    query: async (text, params) =>
      (await transaction.executeQuery(raw(text, [...params]))).rows as readonly Fields[],
  };
}

/** A Drizzle transaction over `pg` or `postgres`; `sql` is Drizzle's own. */
export function fromDrizzle<Chunk, Query extends Chunk>(
  transaction: { execute(query: Query): Promise<unknown> },
  sql: { raw(text: string): Chunk; param(value: unknown): Chunk; join(chunks: Chunk[]): Query },
): Executor {
  return {
    async query(text, params) {
      // Drizzle numbers its parameters itself, in their order.
      const chunks = text
        .split(/\$(\d+)/)
        .map((part, index) =>
          index % 2 === 0 ? sql.raw(part) : sql.param(params[Number(part) - 1]),
        );
      const answer = await transaction.execute(sql.join(chunks));
      return (Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows) as Fields[];
    },
  };
}
