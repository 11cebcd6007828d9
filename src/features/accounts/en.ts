const from = { profile: "yours", setting: "this installation's", host: "the machine's" };
const unset = { timezone: "", language: "", home: "the inbox", quiet: "none" };
const settings = {
  timezone: "time zone",
  language: "language",
  home: "home",
  quiet: "quiet hours",
};

export const en = {
  setting: (about: {
    name: keyof typeof settings;
    value: string | null;
    from: keyof typeof from;
  }) =>
    `${settings[about.name].padEnd(11)} ${about.value ?? unset[about.name]} (${from[about.from]})`,

  tokenCreated: ({ owner, scopes }: { owner: string; scopes: string }) =>
    `A token for the book of ${owner}, scopes ${scopes}. It is shown only now:`,
  /** Only a hash is stored, so the token cannot be shown again. */
  tokenCreatedBefore: ({ owner, scopes }: { owner: string; scopes: string }) =>
    `Already created with this key: a token for the book of ${owner}, scopes ${scopes}. It was shown then and is not stored: if it is lost, revoke it and create another with another key.`,
  noTokens: () => "There are no tokens.\nCreate one: daybook token create NAME",
  tokenRevoked: () => "Revoked. Requests with this token are refused from now on.",

  loginLink: ({ url, minutes }: { url: string; minutes: number }) =>
    `Open ${url} to sign in. It works once, within ${minutes} minutes.`,
  linkCode: ({ message, owner, minutes }: { message: string; owner: string; minutes: number }) =>
    `The first person who sends this to the bot within ${minutes} minutes can use the book of ${owner}:\n${message}`,
  noPeople: () => "No person in a chat is linked.\nInvite one: daybook person invite",
  personUnlinked: () => "Unlinked. Requests of this person are refused from now on.",
};
