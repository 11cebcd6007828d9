import type { Feature } from "../../kernel/feature.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Language } from "../../platform/language.ts";
import type { Log } from "../../platform/log.ts";
import type { Translate } from "../../platform/sentences.ts";
import type { SessionPort } from "./attach.ts";
import type { Auth, FindToken, IsTokenGood } from "./callers.ts";
import type { LoginPort } from "./login.ts";

export interface HttpOptions {
  installation: Installation;
  operations: readonly Operation[];
  /** Bring routes of their own. */
  features: readonly Feature[];
  /** Finds the caller of a token; undefined when it is unknown, expired or revoked. */
  tokens: FindToken;
  /** Whether the token of an id is still valid. */
  isTokenGood: IsTokenGood;
  clock: Clock;
  log: Log;
  health: Health;
  /** Login links for browsers; absent: there are none. */
  login?: LoginPort;
  /** Host names this server answers to: `name` for every port, or `name:port`; absent: the embedding server checks them. */
  hosts?: readonly string[];
  /** The prefix of every path, such as `/daybook`. */
  basePath?: string;
  /** Authentication by the embedding program; requests it does not know need a token. */
  auth?: Auth | undefined;
  /** Translates the sentences of errors; absent: they are English. */
  errorsIn?: (language: Language) => Promise<Translate>;
  version: string;
  /** Metrics for Prometheus. Every token with the scope `read` sees them, so they name no owner. */
  metrics?: () => Promise<string>;
  /** The state of this process, for `daybook doctor`. It names files and hosts, so it is for administrators alone. */
  facts?: () => Promise<object>;
  sessions?: SessionPort | undefined;
  mcp?: (request: Request, caller: Caller) => Promise<Response>;
  /** Receives the requests of chat services; absent: there are none. */
  chats?: ChatReceiver;
  /** The timeout of a request. */
  timeoutMs?: number;
}

/** Receives a request for a chat service, by its name; undefined when none of that name is set up. */
type ChatReceiver = (name: string, request: Request) => Promise<Response> | undefined;

interface Health {
  live(): boolean;
  ready(): Promise<boolean>;
}
