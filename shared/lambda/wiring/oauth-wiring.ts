import { createAgent } from '../../aws/deliver-http.ts';
import { createIdentityProvider } from '../../aws/identity/identity-provider.ts';
import { createProviderFetch } from '../../aws/oauth/provider-fetch.ts';
import { createProviderRequests } from '../../aws/oauth/provider-requests.ts';
import { createJobSender } from '../../aws/queues.ts';
import type { AccountId } from '../../domain/id.ts';
import type { RenewalOutcome } from '../../domain/oauth/renewal.ts';
import { messageText } from '../../domain/run/message-text.ts';
import type { JobMessage } from '../../domain/run/message.ts';
import { createClientReader } from '../../service/oauth/client-reader.ts';
import { createAccountProvider } from '../../service/oauth/account-provider.ts';
import type { AuthorizationKey } from '../../service/oauth/sign-in-context.ts';
import { accountStore } from '../../store/accounts/accounts.ts';
import { signInStore, waitingSignIns } from '../../store/accounts/sign-ins.ts';
import { oauthClientStore, oauthLoginStore } from '../../store/accounts/oauth-clients.ts';
import { signInSettingsStore } from '../../store/users/sign-in-settings-store.ts';
import { epochPrefix } from '../../store/table/table-client.ts';
import { environment, networkRule } from '../environment.ts';
import { notifier } from './admission-wiring.ts';
import { log, now, random, schedules, sqs, table, vault } from './common-wiring.ts';

export function oauthServices() {
  const options = table();
  const logger = log('oauth');
  const prefix = epochPrefix(options);
  const env = environment('TIMERS_QUEUE_URL', 'TIMERS_QUEUE_ARN', 'PUBLIC_API_URL');
  const accounts = accountStore(options);
  const logins = oauthLoginStore(options);
  const daily = schedules();
  const clients = oauthClientStore(options);
  const rule = networkRule();
  const ofOthers = createProviderFetch(createAgent(rule));
  const requests = createProviderRequests(ofOthers, now);
  // The operator chose the issuer: a private address is allowed for it.
  const ofIssuer = createProviderFetch(createAgent({ ...rule, allowPrivate: true }));
  const readClient = createClientReader({ clients, vault: vault(), now });
  const sendJobs = createJobSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL });
  return {
    accounts,
    signIns: signInStore(options),
    waiting: waitingSignIns(options),
    logins,
    vault: vault(),
    readClient,
    requests,
    clients,
    identityProvider: createIdentityProvider({ ofIssuer, ofOthers }, now),
    signInSettings: signInSettingsStore(options),
    providerOf: createAccountProvider({ accounts, logins, readClient, requests }),
    notify: notifier(logger),
    renewDaily: () =>
      daily.create({
        name: 'renew-idle-accounts',
        when: { expression: 'rate(1 day)' },
        queueArn: env.TIMERS_QUEUE_ARN,
        input: messageText({ kind: 'idle-accounts' } satisfies JobMessage),
      }),
    dropLater: ({ attemptId, stateHash }: AuthorizationKey, ms: number) =>
      sendJobs([{ message: { kind: 'flight', attemptId, stateHash }, delaySeconds: Math.ceil(ms / 1_000) }]),
    publicApiUrl: env.PUBLIC_API_URL,
    random,
    epochPrefix: prefix,
    newHolder: () => prefix + random(12).toString('base64url'),
    writeLine: logger.info,
    onRenewal: (account: AccountId, outcome: RenewalOutcome) =>
      outcome === 'renewed'
        ? logger.info('account.renewed', { account })
        : logger.warn('account.renewal_failed', { account, status: outcome }),
    now,
  };
}
