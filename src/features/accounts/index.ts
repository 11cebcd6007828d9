import { feature } from "../../kernel/feature.ts";
import { inviteKind } from "./invite.ts";
import { link } from "./operations/link.ts";
import { login } from "./operations/login.ts";
import { people, unlink } from "./operations/people.ts";
import { setProfile } from "./operations/profile.ts";
import { createToken, listTokens, revokeToken } from "./operations/tokens.ts";
import { personKind, personLayout } from "./person.ts";
import { profileKind } from "./profile.ts";
import { accountsProvide } from "./services.ts";
import { tokenKind } from "./token.ts";
import { transferProfile } from "./transfer.ts";

/** Profiles of owners, and the tokens and linked people that may use a book. */
export const accounts = feature({
  name: "accounts",
  kinds: [inviteKind, personKind, profileKind, tokenKind],
  operations: { setProfile, createToken, listTokens, revokeToken, login, link, people, unlink },
  fileLayouts: [personLayout],
  transfers: [transferProfile],
  provides: accountsProvide,
  chat: async () => (await import("./chat.ts")).accountsChat,
  errors: () => import("./errors-ko.ts"),
});

export {
  type AddressReader,
  addressReadersOfOwn,
  discordAddress,
  emailAddress,
  ntfyTopic,
  slackAddress,
  telegramAddress,
} from "./chat-address.ts";
export { commonEn } from "./common-en.ts";
export { commonKo } from "./common-ko.ts";
export { kindName, state } from "./names-ko.ts";
export { reason } from "./reasons-ko.ts";
export { inviteKind, isOpen, readCode } from "./invite.ts";
export {
  type MomentOptions,
  dueOf,
  dueUnlessEnded,
  dueView,
  guessView,
  localTime,
  momentOptions,
  zonedTime,
} from "./moment-view.ts";
export {
  idColumn,
  nameColumn,
  noteColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumns,
  toneOf,
  wordColumn,
} from "./list-columns.ts";
export { wrongCodeLimit } from "./operations/link.ts";
export { type LinkedCaller, type ChatPeople, findPerson, joinByCode } from "./operations/people.ts";
export { profileOf, profileView, settingLines } from "./operations/profile.ts";
export { findToken, isTokenGood } from "./operations/tokens.ts";
export { personKind } from "./person.ts";
export {
  type LoginLinks,
  homeOwner,
  loginLinks,
  profileChange,
  profileDefaults,
  targetCheck,
} from "./ports.ts";
export { type Quiet, plainProfile } from "./profile.ts";
export { type SheetRow, createdRow, jsonRow, renderSheet, timeRow } from "./sheet.ts";
export { owner, target } from "./settings.ts";
export { commonTexts, moreLine } from "./texts.ts";
export { makeToken, ownerInput, tokenFrom, tokenId } from "./token.ts";
