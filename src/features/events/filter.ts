/** Which of what a source tells is wanted. */
export interface Interest {
  /** `owner/name` or `owner/*`; absent: all, and what is of none. */
  readonly repos?: readonly string[];
  /** `github.pr.comment` or `github.pr.*`; absent: all. */
  readonly types?: readonly string[];
  /** Who we are at the service: what we did ourselves is dropped, or we would answer ourselves for ever. */
  readonly ours?: readonly string[];
}

interface Told {
  readonly repo: string | null;
  readonly type: string;
  readonly actor?: string;
}

/** Whether it is wanted, and was done by somebody else. */
export function isNews(
  { repo, type, actor }: Told,
  { repos, types, ours = [] }: Interest,
): boolean {
  if (actor !== undefined && ours.some((name) => isAlike(name, actor))) return false;
  if (types !== undefined && !types.some((pattern) => matches(pattern, type))) return false;
  return repos === undefined || (repo !== null && repos.some((each) => matches(each, repo)));
}

/** A star stands at the end, for whatever follows. */
function matches(pattern: string, name: string): boolean {
  if (!pattern.endsWith("*")) return isAlike(pattern, name);
  const start = pattern.slice(0, -1).toLowerCase();
  return name.length > start.length && name.toLowerCase().startsWith(start);
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
