import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { fromIso, isoOf } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import { loginLinks } from "../ports.ts";
import { textsOf } from "../texts.ts";

export const login = operation({
  name: "create_login",
  summary: "Create a link that signs a browser in, once.",
  input: z.strictObject({}),
  output: z.object({
    url: z.string().describe("the link. Whoever opens it first has the rights of this token"),
    expires_at: z.string().meta({ format: "date-time" }),
  }),
  example: {},
  route: { method: "POST", path: "/v1/login" },
  command: { name: "login", positionals: [] },
  tool: "never",
  async run(_, context) {
    const links = context.use(loginLinks);
    if (links === undefined) {
      const sentence =
        "Only a daemon has pages to sign in to, and none answers here: start one with daybook start.";
      throw new DaybookError("unsupported", sentence);
    }
    const { owner, by, scopes, token } = context;
    const { url, expiresAt } = links(present({ owner, by, scopes, token, origin: null }));
    return { url, expires_at: isoOf(expiresAt) };
  },
  render({ url, expires_at: end }, { language, now }) {
    const minutes = Math.round((fromIso(end) - now) / 60_000);
    return textsOf(language).loginLink({ url, minutes });
  },
});
