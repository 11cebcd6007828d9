import type { RouteCall, RouteContext, RouteTable } from "../../kernel/route.ts";
import { HttpError } from "../../platform/http-error.ts";
import { connectRoute } from "./connect-page.ts";
import { feedAt } from "./feed.ts";

/** Where calendar programs read a feed, which the secret token in the path authorizes, and where a consent comes back. */
export function calendarRoutes(context: RouteContext): RouteTable {
  return {
    routes: [
      connectRoute(context),
      {
        methods: ["GET"],
        path: "/calendars/:token",
        secret: "token",
        auth: "own",
        handle: (call) => sendFeed(context, call),
      },
    ],
    openapi: feedPaths,
  };
}

const ending = ".ics";

async function sendFeed(
  context: RouteContext,
  { request, params, countFailure }: RouteCall,
): Promise<Response> {
  const { token: name = "" } = params;
  const token = name.endsWith(ending) ? name.slice(0, -ending.length) : "";
  const feed = await feedAt(context, token);
  if (feed === undefined) {
    countFailure();
    const sentence = "There is no calendar at this URL: check it for typing errors.";
    throw new HttpError(404, "not_found", sentence);
  }
  const { etag, text } = feed;
  // Programs may keep it, and ask each time whether it has changed.
  const headers = { etag, "cache-control": "private, no-cache" };
  if (isKnown(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, {
    headers: {
      ...headers,
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'inline; filename="daybook.ics"',
    },
  });
}

function isKnown(header: string | null, etag: string): boolean {
  const known = (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}

const feedPaths = {
  "/calendars/{token}": {
    get: {
      operationId: "read_calendar_feed",
      summary: "Read a calendar as iCalendar (RFC 5545).",
      security: [],
      parameters: [
        {
          name: "token",
          in: "path",
          required: true,
          description: "The end of the `url` of a calendar of the kind `ics`.",
          schema: { type: "string" },
        },
      ],
      responses: {
        "200": {
          description: "The entries of the calendar.",
          content: { "text/calendar": { schema: { type: "string" } } },
        },
        "304": { description: "Nothing has changed since the version in `If-None-Match`." },
        default: { $ref: "#/components/responses/Problem" },
      },
    },
  },
};
