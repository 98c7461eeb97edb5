import type { AuthorizationServer } from '../../support/authorization-server.ts';
import type { Account, ApphookScenario, HookScenario, Registered, Scenario, TimerScenario } from './scenario.ts';
import { JSON_TYPE, type SentRequest } from './sent-request.ts';
import type { Expected, Rule } from './stand-in.ts';
import { apphookScenarios } from './stand-ins/apphooks.ts';
import { hookScenarios } from './stand-ins/hooks.ts';
import { timerScenarios } from './stand-ins/timers.ts';

/** A component of an app with OAuth 2, whose account is renewed between two runs. */
export interface OAuthScenario extends Scenario {
  readonly account: Account;
  readonly activate: HookScenario['activate'];
  readonly deactivate: HookScenario['deactivate'];
  readonly runs: readonly [Run, Run];
  readonly isPolling: boolean;
}

interface Run {
  readonly rules: () => readonly Rule[];
  /** Requests to the endpoint; a component that polls has none. */
  readonly sends?: (known: Registered) => readonly SentRequest[];
  readonly emits: readonly { readonly summary?: Expected; readonly event?: Expected }[];
}

const ofTimer = (scenario: TimerScenario): Omit<OAuthScenario, 'account'> => {
  const run = (n: 0 | 1): Run => ({
    rules: scenario.polls[n].rules,
    emits: scenario.polls[n].emits.map((summary) => ({ summary })),
  });
  return {
    ...scenario,
    activate: () => scenario.activate ?? [],
    deactivate: () => [],
    runs: [run(0), run(1)],
    isPolling: true,
  };
};

const ofHook = (scenario: HookScenario): Omit<OAuthScenario, 'account'> => {
  const run = (n: number): Run => ({
    rules: () => scenario.lookups ?? [],
    sends({ endpoint, call }) {
      const to = { address: endpoint, secret: scenario.secret?.(call) ?? '' };
      const greeting = n === 1 ? scenario.greets?.(to) : undefined;
      return [...(greeting ? [greeting] : []), scenario.sends(to, n)];
    },
    // The bodies of these vendors depend on neither.
    emits: [scenario.emits(n, scenario.sends({ address: 'https://hooks.example.com', secret: '' }, n))],
  });
  return { ...scenario, runs: [run(1), run(2)], isPolling: false };
};

const ofApphook = (scenario: ApphookScenario): Omit<OAuthScenario, 'account'> => {
  const run = (n: number): Run => ({
    rules: () => scenario.lookups ?? [],
    sends: ({ endpoint }) => [{ url: endpoint, headers: JSON_TYPE, body: JSON.stringify(scenario.event(n)) }],
    emits: [scenario.emits(n)],
  });
  return { ...scenario, activate: () => [], deactivate: () => [], runs: [run(1), run(2)], isPolling: false };
};

/** Components that catch the errors of their requests: no run of theirs ends by a status 401. */
export const HIDE_REFUSALS: readonly string[] = ['asana/sources/new-workspace/new-workspace.js'];

/** One component for each app. */
const COMPONENTS = [
  'spotify/sources/new-playlist/new-playlist.js',
  'pagerduty/sources/new-oncall-rotation/new-oncall-rotation.js',
  'formstack/sources/new-form/new-form.js',
  'github/sources/new-commit/new-commit.js',
  'asana/sources/new-workspace/new-workspace.js',
  'hubspot/sources/new-contact/new-contact.js',
  'salesforce/sources/new-object/new-object.js',
  'google_calendar/sources/new-calendar/new-calendar.js',
  'google_sheets/sources/new-row-added/new-row-added.js',
  'typeform/sources/new-submission/new-submission.js',
  'gitlab/sources/new-branch/new-branch.js',
  'bitbucket/sources/new-repository/new-repository.js',
  'strava/sources/activity-created/activity-created.js',
  'slack/sources/new-message-in-channels/new-message-in-channels.js',
];

export const oauthScenarios: readonly OAuthScenario[] = [
  ...timerScenarios.map(ofTimer),
  ...hookScenarios.map(ofHook),
  ...apphookScenarios.map(ofApphook),
].flatMap((scenario) => {
  const { account } = scenario as Scenario;
  return account && COMPONENTS.includes(scenario.component) ? [{ ...scenario, account }] : [];
});
if (oauthScenarios.length !== COMPONENTS.length) throw new Error('A component has no scenario.');

/** Members of a provider's responses that the standard does not have, by the name of its entry. */
export const RESPONSES: Readonly<Record<string, Partial<Pick<AuthorizationServer, 'identity' | 'tokenResponse'>>>> = {
  asana: { identity: (login) => ({ data: { gid: login } }) },
  bitbucket: { identity: (login) => ({ account_id: login }) },
  github: { identity: (login) => ({ id: login }) },
  gitlab: { identity: (login) => ({ id: login }) },
  hubspot: { identity: (login) => ({ portalId: login }) },
  salesforce: {
    tokenResponse: (standard) => ({
      ...standard,
      id: 'https://login.salesforce.com/id/00D/005',
      instance_url: 'https://acme.salesforce.com',
    }),
  },
  slack: {
    tokenResponse: (standard) => ({
      ok: true,
      authed_user: { id: 'U0', ...standard, token_type: 'user' },
    }),
  },
  spotify: { identity: (login) => ({ id: login }) },
  strava: { identity: (login) => ({ id: login }) },
  typeform: { identity: (login) => ({ user_id: login }) },
};
