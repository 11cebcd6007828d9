import type { Pass } from "../../features/nags/pass.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { SessionPort } from "./attach.ts";
import type { Auth, FindToken, IsTokenGood } from "./callers.ts";
import type { HooksOptions } from "./hooks.ts";
import type { LoginPort } from "./login.ts";

export interface HttpFaceOptions {
  installation: Installation;
  operations: readonly Operation[];
  /** Whose token it is; nothing when it is nobody's, expired or revoked. */
  tokens: FindToken;
  /** Whether a token, by its id, still is somebody's. */
  isTokenGood: IsTokenGood;
  clock: Clock;
  log: Log;
  health: Health;
  /** Links that sign browsers in; absent: nobody is let in by a link. */
  login?: LoginPort;
  /** Names this server answers to: `name` for every port, or `name:port`; absent: the server around us checks. */
  hosts?: readonly string[];
  /** What every path begins with, such as `/daybook`. */
  basePath?: string;
  /** Who asks, as the program around us knows; what it does not know is asked of the tokens. */
  auth?: Auth;
  version: string;
  /** What Prometheus reads. It is shown to every token that may read: nothing in it names an owner. */
  metrics?: () => Promise<string>;
  sessions?: SessionPort;
  mcp?: (request: Request, caller: Caller) => Promise<Response>;
  /** Takes what a chat service tells, by its name; nothing when it is not known. Each proves itself. */
  chats?: (name: string, request: Request) => Promise<Response> | undefined;
  /** Where services tell what happened, by name; absent: nowhere. */
  hooks?: NonNullable<HooksOptions["hooks"]>;
  /** Lets what is due be said once, for those who call from a cron; absent: not from here. */
  nagPass?: Pass;
  /** How long a request may take. */
  timeoutMs?: number;
}

interface Health {
  live(): boolean;
  ready(): Promise<boolean>;
}
