/**
 * A schema of any library that implements Standard Schema, version 1. Only its types are declared here:
 * they are the complete specification.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Never present: it carries the types alone. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Some libraries' schemas are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  const isThing = (typeof value === "object" && value !== null) || typeof value === "function";
  return isThing && "~standard" in value;
}

/** The path of the issue in the value: `order.lines[2].price`; empty for the value itself. */
export function issuePath({ path = [] }: SchemaIssue): string {
  const keys = path.map((step) => (typeof step === "object" ? step.key : step));
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
