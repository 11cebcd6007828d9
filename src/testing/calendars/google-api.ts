import { json, type Answer, type Call } from "../chats/peer.ts";
import { consentAnswer, consentPage } from "./google-consent.ts";
import { GoogleComplaint, GoogleRefusal } from "./google-errors.ts";
import {
  deleteEvent,
  getEvent,
  insertEvent,
  patchEvent,
  updateEvent,
  type EventCall,
} from "./google-events.ts";
import { masked } from "./google-fields.ts";
import { listEvents } from "./google-list.ts";
import { eventsScope, fullScope, listScope, type GoogleOAuth } from "./google-oauth.ts";
import { addCalendar, calendarOf, type GoogleCalendar, type GoogleWorld } from "./google-world.ts";

/** Where the API begins. */
export const api = "/calendar/v3/";

/** Answers a request to any of the hosts of Google. */
export function answerTo(
  call: Call,
  world: GoogleWorld,
  oauth: GoogleOAuth,
  complaints: string[],
): Answer {
  const { verb, path } = call;
  try {
    if (path === "/o/oauth2/v2/auth" && verb === "GET") return consentPage(call, oauth);
    if (path === "/consent" && verb === "POST") return consentAnswer(call, oauth);
    if (path === "/token") return oauth.token(call);
    if (path === "/favicon.ico") return { status: 404 };
    if (!path.startsWith(api)) throw new GoogleComplaint(`${verb} ${path}`);
    const query = new URLSearchParams(call.query);
    const answer = run({ call, world, query }, oauth);
    if (answer === undefined) return { status: 204 };
    const fields = query.get("fields");
    return json(200, Object(fields === null ? answer : masked(answer, fields)));
  } catch (error) {
    if (error instanceof GoogleRefusal) return errorOf(error);
    complaints.push(error instanceof GoogleComplaint ? error.message : String(error));
    return errorOf(new GoogleRefusal(400, "badRequest", `Complaint: ${String(error)}`));
  }
}

/** Each path: the scopes that open it, and what it answers to the names in it. */
const paths: readonly {
  readonly form: RegExp;
  readonly scopes: readonly string[];
  run(asked: Asked, ...names: string[]): object | undefined;
}[] = [
  {
    form: /^users\/me\/calendarList$/,
    scopes: [listScope, fullScope],
    run: ({ world, query }) => calendarList(world, query),
  },
  {
    form: /^calendars(?:\/([^/]+))?$/,
    scopes: [fullScope],
    run: ({ call, world }, id) => calendarAnswer(call, world, id),
  },
  {
    form: /^calendars\/([^/]+)\/events(?:\/([^/]+))?$/,
    scopes: [eventsScope, fullScope],
    run: eventAnswer,
  },
];

interface Asked {
  readonly call: Call;
  readonly world: GoogleWorld;
  readonly query: URLSearchParams;
}

function run(asked: Asked, oauth: GoogleOAuth): object | undefined {
  const { path, verb, headers } = asked.call;
  const [, token = ""] = /^Bearer (\S+)$/.exec(headers["authorization"] ?? "") ?? [];
  const granted = oauth.scopesOf(token);
  if (granted === undefined) {
    const at = { locationType: "header", location: "Authorization" };
    throw new GoogleRefusal(401, "authError", "Invalid Credentials", at);
  }
  const known = paths.find(({ form }) => form.test(path.slice(api.length)));
  if (known === undefined) throw new GoogleComplaint(`${verb} ${path}`);
  if (!known.scopes.some((scope) => granted.includes(scope))) {
    const message = "Request had insufficient authentication scopes.";
    throw new GoogleRefusal(403, "insufficientPermissions", message);
  }
  const [, ...names] = known.form.exec(path.slice(api.length)) ?? [];
  return known.run(asked, ...names.map((name) => (name ? decodeURIComponent(name) : "")));
}

const methods: Readonly<
  Record<string, (world: GoogleWorld, call: EventCall) => object | undefined>
> = {
  "POST events": insertEvent,
  "GET event": getEvent,
  "PUT event": updateEvent,
  "PATCH event": patchEvent,
  "DELETE event": deleteEvent,
};

function eventAnswer({ call, world, query }: Asked, calendar = "", id = ""): object | undefined {
  const { verb, path, headers } = call;
  if (verb === "GET" && id === "") return listEvents(world, calendar, query);
  const strange = [...query.keys()].find((each) => each !== "fields");
  if (strange !== undefined) throw new GoogleComplaint(`the parameter ${strange} of ${verb}`);
  const method = methods[`${verb} ${id === "" ? "events" : "event"}`];
  if (method === undefined) throw new GoogleComplaint(`${verb} ${path}`);
  return method(world, { calendar, id, body: bodyOf(call), ifMatch: headers["if-match"] });
}

function bodyOf({ verb, headers, body }: Call): unknown {
  if (verb === "GET" || verb === "DELETE") {
    if (body !== "") throw new GoogleComplaint(`a body with ${verb}`);
    return undefined;
  }
  if (!/^application\/json\b/.test(headers["content-type"] ?? "")) {
    throw new GoogleComplaint(`a body as ${headers["content-type"]}`);
  }
  return JSON.parse(body);
}

/** `calendarList.list`. */
function calendarList({ calendars }: GoogleWorld, query: URLSearchParams): object {
  const strange = [...query.keys()].find((each) => !["fields", "maxResults"].includes(each));
  if (strange !== undefined) throw new GoogleComplaint(`the parameter ${strange} of calendarList`);
  const items = [...calendars.values()].map(({ events: _events, ...rest }) => ({
    kind: "calendar#calendarListEntry",
    ...rest,
  }));
  return { kind: "calendar#calendarList", items };
}

/** `calendars.get` and `calendars.insert`. */
function calendarAnswer(call: Call, world: GoogleWorld, id = ""): object {
  const shown = ({ id: name, summary, timeZone }: GoogleCalendar): object => ({
    kind: "calendar#calendar",
    id: name,
    summary,
    timeZone,
  });
  if (id !== "" && call.verb === "GET") return shown(calendarOf(world, id));
  if (id !== "" || call.verb !== "POST") throw new GoogleComplaint(`${call.verb} calendars`);
  const { summary, timeZone = "UTC" } = bodyOf(call) as { summary?: string; timeZone?: string };
  if (!summary) throw new GoogleRefusal(400, "required", "Missing title.");
  const made = `c_${world.calendars.size}@group.calendar.google.com`;
  return shown(addCalendar(world, { id: made, summary, timeZone, accessRole: "owner" }));
}

export function errorOf(
  { status, reason, message, more }: GoogleRefusal,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const errors = [{ domain: "global", reason, message, ...more }];
  return json(status, { error: { errors, code: status, message } }, headers);
}
