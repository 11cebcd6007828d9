import type { RouteContext, RouteTable } from "../../kernel/route.ts";
import { readBytes } from "../../platform/http-body.ts";
import { receiveCallback } from "./callback.ts";

/** Where the receiver of an HTTP run reports its end: its signature authorizes it. */
export function callbackRoutes(context: RouteContext): RouteTable {
  return {
    routes: [
      {
        methods: ["POST"],
        path: "/callbacks/:owner/:id",
        auth: "own",
        async handle({ request, params }) {
          const { owner = "", id = "" } = params;
          const body = new TextDecoder().decode(await readBytes(request));
          const headers = Object.fromEntries(request.headers);
          await receiveCallback(context, { owner, id, body, headers });
          return new Response("ok\n");
        },
      },
    ],
  };
}
