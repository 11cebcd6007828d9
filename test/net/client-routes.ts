import { client, main } from "./internals.ts";

type Json = Readonly<Record<string, unknown>>;

/** Every method of the client, and the request that it sends. */
export async function clientRoutes(): Promise<{
  openapi: ReadonlySet<string>;
  lines: readonly { name: string; route: string }[];
}> {
  const book = await main.open({ store: "memory:" });
  const answer = await book.fetch(new Request("http://localhost/openapi.json"));
  const { paths } = (await answer.json()) as { paths: Record<string, Json> };
  await book.close();
  const openapi = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const params = [
    ...Object.keys(paths)
      .join()
      .matchAll(/\{(\w+)\}/g),
  ].map(([, name = ""]) => name);
  const input = Object.fromEntries(params.map((name) => [name, `_${name}_`]));
  let route = "";
  const remote = client.connect({
    url: "http://localhost",
    fetch(request) {
      const { pathname } = new URL(request.url);
      route = `${request.method} ${pathname.replaceAll(/_(\w+?)_(?=\/|$)/g, "{$1}")}`;
      return Promise.resolve(Response.json({}));
    },
  });
  const methods = Object.entries(remote as unknown as Record<string, (input: Json) => unknown>);
  const lines: { name: string; route: string }[] = [];
  for (const [name, method] of methods.filter(([name]) => name !== "run")) {
    await method(input);
    lines.push({ name, route });
  }
  return { openapi, lines: lines.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
