import type { APP_SENDERS } from './app-senders.ts';
import type { Receiver, SentRequest } from './sent-request.ts';
import type { Call, Expected, Rule } from './stand-in.ts';

/** Everything that a component needs to run: its account and props, and the behaviour of its upstream. */
export interface Scenario {
  /** Below `components/` of the package. */
  readonly component: string;
  /** Host of the upstream; `plain` when the address is among the account's fields. */
  readonly host: string;
  readonly account?: Account;
  /** Accounts of the component's other apps. */
  readonly otherAccounts?: readonly Account[];
  readonly props?: (at: Addresses) => Record<string, unknown>;
  /** A second upstream, at the address that the account names. */
  readonly plainRules?: readonly Rule[];
  /** Other upstreams that it asks. */
  readonly elsewhere?: readonly { readonly host: string; readonly rules: readonly Rule[] }[];
  /** Its packages are large, or it is much like another: it runs in `npm run compat` only. */
  readonly isExtra?: boolean;
}

/** `npm run compat` sets it. */
const { COMPAT_SCENARIOS: which } = process.env;

/** The scenarios of this run. */
export function chosen<S extends Scenario>(scenarios: readonly S[]): readonly S[] {
  return which === 'all' ? scenarios : scenarios.filter(({ isExtra = false }) => !isExtra);
}

/** An account of an app, and the prop that names it. */
export interface Account {
  readonly prop: string;
  readonly app: string;
  readonly fields: Fields;
}

/** Fields of an account; those that hold an address are made of the stand-in's. */
type Fields = Readonly<Record<string, string | ((at: Addresses) => string)>>;

export interface Addresses {
  /** Origin of the stand-in that an account or a prop names. */
  readonly plain: string;
}

/** The endpoint URL that the upstream expects, with a suffix that the component may add. */
type EndpointOf = (suffix?: string) => Expected;

/** The source that is tried, as its upstream knows it. */
export interface Registered {
  readonly endpoint: string;
  /** The call of a rule by its name. */
  readonly call: (rule: string) => Call;
}

/** A component that registers its endpoint. */
export interface HookScenario extends Scenario {
  readonly activate: (endpoint: EndpointOf) => readonly Rule[];
  readonly deactivate: (known: Registered) => readonly Rule[];
  /** Requests during a run. */
  readonly lookups?: readonly Rule[];
  /** The secret of the vendor and this receiver, by the calls that it made. */
  readonly secret?: (callOf: Registered['call']) => string;
  /** The request that the vendor sends before it answers a registration. It emits nothing. */
  readonly greets?: (to: Receiver) => SentRequest;
  /** The n-th request of the vendor (1 before the restart, 2 after it), as its documentation has it: see `senders/`. */
  readonly sends: (to: Receiver, n: number) => SentRequest;
  /** Summary of its event, and what else it holds. */
  readonly emits: (n: number, sent: SentRequest) => { summary?: Expected; event: Expected };
  /** The endpoint is an origin of its own. */
  readonly isOrigin?: boolean;
  /** The reason why the component emits nothing for requests of its vendor. */
  readonly emitsNothing?: string;
  /** The expected response of the endpoint. */
  readonly responses?: { status: number; text?: Expected };
  readonly customResponse?: boolean;
  /** A request with a wrong signature, token or sender, and the endpoint's response. It must emit nothing. */
  readonly wrong?: (to: Receiver) => SentRequest & { readonly status: number };
}

/** A component whose app sends it events. */
export interface ApphookScenario extends Scenario {
  /** Its apphook, and the names of the events that it asks for. */
  readonly prop: string;
  readonly eventNames: readonly string[];
  /** The app and the secret by which it signs. An app without them sends the event itself. */
  readonly sender?: { readonly app: keyof typeof APP_SENDERS; readonly secret: string };
  /** Requests during a run. */
  readonly lookups?: readonly Rule[];
  /** The n-th event, as the component gets it (1 before the restart, 2 after it). */
  readonly event: (n: number) => unknown;
  readonly emits: (n: number) => { summary?: string; event: Expected };
  /** Events of the app that the component passes over. */
  readonly ignores?: readonly unknown[];
}

/** A component that polls. */
export interface TimerScenario extends Scenario {
  /** Requests during activate. */
  readonly activate?: readonly Rule[];
  /** Fields of another account, whose requests its upstream refuses: they are an error, and nothing is emitted. */
  readonly refused?: Fields;
  /** Two polls, with a restart between them; all that is emitted by then, by summary, the oldest first. */
  readonly polls: readonly [Poll, Poll];
}

export interface Poll {
  readonly rules: () => readonly Rule[];
  /** Summaries of what this poll emits. */
  readonly emits: readonly string[];
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
