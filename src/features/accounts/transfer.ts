import { transferPart } from "../../kernel/transfer.ts";
import { checkProfile, profileKind } from "./profile.ts";

export const transferProfile = transferPart({
  kind: profileKind,
  check: ({ body }) => checkProfile(body),
  key: () => ({ asked: {} }), // a second profile is the same request
});
