import { feature } from "../../kernel/feature.ts";
import { inviteKind } from "./invite.ts";
import { link } from "./operations/link.ts";
import { people, unlink } from "./operations/people.ts";
import { setProfile } from "./operations/profile.ts";
import { createToken, listTokens, revokeToken } from "./operations/tokens.ts";
import { personKind, personLayout } from "./person.ts";
import { profileKind } from "./profile.ts";
import { tokenKind } from "./token.ts";

/** Who may ask, in whose book? */
export const accounts = feature({
  name: "accounts",
  kinds: [inviteKind, personKind, profileKind, tokenKind],
  operations: { setProfile, createToken, listTokens, revokeToken, link, people, unlink },
  fileLayouts: [personLayout],
});
