import { json, type Answer, type Call } from "./peer.ts";
import { slackForms, type SlackForms, type SlackMethod } from "./slack-forms.ts";
import { appToken, token } from "./slack-tokens.ts";
import { SlackRefusal } from "./slack-world.ts";

export type SlackMethods = {
  readonly [Method in SlackMethod]: (form: SlackForms[Method], call: Call) => object;
};

/** Checks token, scope and form of a call, and answers it as Slack does. */
export function answerTo(call: Call, methods: SlackMethods, scopes: readonly string[]): Answer {
  const method = call.path.replace(/^\/api\//, "");
  try {
    if (!Object.hasOwn(slackForms, method)) throw new SlackRefusal("unknown_method");
    checkToken(method as SlackMethod, call.headers["authorization"]);
    checkScope(method, scopes);
    const { data, error } = slackForms[method as SlackMethod].safeParse(valuesOf(call));
    if (error !== undefined) {
      const wrong = error.issues.map(
        ({ message, path }) => `[ERROR] ${message} [${path.join("/")}]`,
      );
      throw new SlackRefusal("invalid_arguments", wrong);
    }
    const run = methods[method as SlackMethod] as (form: unknown, call: Call) => object;
    return json(200, { ok: true, ...run(data, call) });
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    const { message, messages } = error;
    const more = messages.length === 0 ? {} : { response_metadata: { messages } };
    return json(200, { ok: false, error: message, ...more });
  }
}

function checkToken(method: SlackMethod, given: string | undefined): void {
  if (given === undefined) throw new SlackRefusal("not_authed");
  const isApp = method === "apps.connections.open";
  if (given === `Bearer ${isApp ? token : appToken}`) {
    throw new SlackRefusal("not_allowed_token_type");
  }
  if (given !== `Bearer ${isApp ? appToken : token}`) throw new SlackRefusal("invalid_auth");
}

function checkScope(method: string, scopes: readonly string[]): void {
  const needed = /^(chat|files)\./.exec(method)?.[1];
  if (needed !== undefined && !scopes.includes(`${needed}:write`)) {
    throw new SlackRefusal("missing_scope");
  }
}

function valuesOf({ headers, body }: Call): unknown {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type === "application/json") return JSON.parse(body);
  if (type !== "application/x-www-form-urlencoded") throw new SlackRefusal("invalid_post_type");
  return Object.fromEntries(new URLSearchParams(body));
}
