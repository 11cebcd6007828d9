/** What this face says by itself. What an operation answers is said by the operation. */
export interface Texts {
  attached(session: string, waiting: number | null): string;
  reconnecting(wait: string): string;
  readonly maybeRepeat: string;
  // simulate
  // wrap
  notReported(problem: string): string;
  notRun(program: string, isMissing: boolean): string;
  // on
  handlerAdded(name: string, file: string): string;
  handlerWaits(problem: string): string;
  // status
  running(facts: {
    version: string;
    since: string;
    span: string;
    pid: number;
    url: string;
  }): string;
  readonly noDaemon: string;
  book(store: string, records: number): string;
  /** One process at a time has a book of files. */
  bookInDaemon(store: string): string;
  bookProblem(store: string, problem: string): string;
  readonly queueTitles: readonly [
    queue: string,
    due: string,
    later: string,
    leased: string,
    oldest: string,
  ];
  readonly nothingWaits: string;
  late(due: number): string;
  configFrom(file: string | null): string;
  configProblem(problem: string): string;
  settingsWrong(problem: string): string;
  schedulesRefused(problem: string): string;
  configWaits(keys: readonly string[]): string;
  // doctor
  readonly levels: Readonly<Record<"ok" | "warn" | "bad", string>>;
  summary(counts: { warn: number; bad: number }): string;
  nodeOk(version: string): string;
  nodeOld(version: string): string;
  configOk(file: string | null): string;
  configBad(problem: string): string;
  configWarnings(warnings: readonly string[]): string;
  homeOk(path: string): string;
  homeBad(path: string, problem: string): string;
  storeOk(name: string): string;
  readonly storeMemory: string;
  storeBad(name: string, problem: string): string;
  zoneOk(zone: string): string;
  zoneFromHost(zone: string): string;
  readonly clockOk: string;
  clockWrong(now: string): string;
  clockAway(span: string): string;
  daemonOk(url: string): string;
  readonly daemonNone: string;
  daemonBad(url: string, problem: string): string;
  daemonOther(theirs: string, ours: string): string;
  tokenOk(path: string): string;
  readonly tokenNone: string;
  tokenOpen(path: string, mode: string): string;
  channelsOk(names: readonly string[]): string;
  channelsNear(names: readonly string[]): string;
  pluginOk(name: string, channels: readonly string[]): string;
  pluginOff(name: string, problem: string): string;
  allowOk(hosts: readonly string[]): string;
  allowNear(hosts: readonly string[]): string;
  readonly chatOk: string;
  chatMissing(packages: readonly string[]): string;
  chatRefused(problem: string): string;
  chatWants(settings: readonly string[]): string;
  chatNobody(name: string): string;
  handlersOk(names: readonly string[]): string;
  handlersSilent(names: readonly string[]): string;
  handlerUnheard(name: string, target: string): string;
  sourceOk(name: string): string;
  sourceWants(name: string, settings: readonly string[]): string;
  sourceBad(name: string, problem: string): string;
  hooksOk(urls: readonly string[]): string;
  hooksUnreached(names: readonly string[]): string;
  /** Machines or archives of workspaces, and what they say of themselves. */
  placeOk(name: string, said: string): string;
  placeBad(name: string, problem: string): string;
  administratorNone: string;
  eventsUnhandled(types: readonly string[]): string;
  readonly agentOk: string;
  agentBad(missing: readonly string[]): string;
  tasksUnrun(names: readonly string[]): string;
}
