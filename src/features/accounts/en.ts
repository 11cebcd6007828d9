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

  tokenMade: ({ owner, scopes }: { owner: string; scopes: string }) =>
    `For the book of ${owner}, may ${scopes}. The token is shown only now:`,
  /** With the same key: what was shown once cannot be shown again. */
  tokenMadeBefore: ({ owner, scopes }: { owner: string; scopes: string }) =>
    `Already made with this key: for the book of ${owner}, may ${scopes}. The token was shown then and is kept nowhere: if it is lost, revoke this one and make another with another key.`,
  noTokens: () => "There are no tokens.",
  tokenLine: (about: { name: string; owner: string; scopes: string; until: string | null }) =>
    `${about.name}, book of ${about.owner}, may ${about.scopes}${about.until === null ? "" : `, until ${about.until}`}`,
  tokenRevoked: () => "Revoked. Whoever uses it is refused from now on.",

  linkCode: ({ say, owner, minutes }: { say: string; owner: string; minutes: number }) =>
    `Whoever says this to the bot first, within ${minutes} minutes, may ask in the book of ${owner}:\n${say}`,
  noPeople: () => "Nobody has been linked from a chat.",
  personLine: ({ name, who, owner }: { name: string; who: string; owner: string }) =>
    `${who} (${name}), book of ${owner}`,
  personUnlinked: () => "Unlinked. What they say is not heard from now on.",
};
