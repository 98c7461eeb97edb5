import { describe, expect, test } from 'vitest';
import { Component } from '../../../../../shared/domain/component/component.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import type { RunnerRequest } from '../../../../../shared/domain/run/run.ts';
import { tenantOf } from '../../../../../shared/service/accounts/tenant.ts';
import { createConfigurator } from '../../../../../shared/service/components/configurator.ts';

const userId = UserId.parse('u_1');
const component = Component.parse({
  id: 'sc_1',
  ownerId: userId,
  published: false,
  codeKey: 'code',
  bundleHash: 'b'.repeat(64),
  codeHash: 'c',
  contentHash: 'd',
  componentUrl: null,
  createdAt: 0,
  updatedAt: 0,
  description: {
    name: 'Lists',
    hasRun: true,
    hooks: [],
    hasAdditionalProps: true,
    props: [
      { name: 'slack', type: 'app', app: 'slack' },
      { name: 'channel', type: 'string', remoteOptions: true },
    ],
  },
});

/** A configurator, and the requests that it sends. The renewal of an account takes so long. */
function configuratorAt({ renewalMs = 0 } = {}) {
  const requests: RunnerRequest[] = [];
  let now = 0;
  const configurator = createConfigurator({
    runner: {
      run: async (request, onLine) => {
        requests.push(request);
        onLine({ k: 'options', job: 'options', options: [], context: null });
        return Promise.resolve('complete');
      },
    },
    bucket: { presignGet: async () => Promise.resolve('https://bundle.example') },
    accounts: {
      fillProps: async (_, props) => {
        now += renewalMs;
        return Promise.resolve({
          props: 'slack' in props ? { ...props, slack: { $auth: { token: 't' } } } : props,
          oauthAccounts: [],
        });
      },
    },
    now: () => now,
  });
  return { configurator, requests };
}

/** The requests to the runner for the options of `channel`, one for each value of the app prop. */
async function requestsFor(...accounts: (string | undefined)[]): Promise<RunnerRequest[]> {
  const { configurator, requests } = configuratorAt();
  for (const account of accounts) {
    const props = account === undefined ? {} : { slack: { authProvisionId: account } };
    await configurator.options(
      { component, userId, props, deadline: 10_000 },
      { prop: 'channel', page: 0, prevContext: null, query: undefined },
    );
  }
  return requests;
}

describe('the options of a prop', () => {
  test('are read with each account in an environment of its own', async () => {
    const tenants = (await requestsFor('apn_1', 'apn_2', 'apn_1', undefined)).map(tenantOf('source'));
    expect(tenants[0]).toMatch(/^u_1\/configure-b{64}-/);
    expect(tenants[1]).not.toBe(tenants[0]);
    expect(tenants[2]).toBe(tenants[0]);
    expect(tenants[3]).toBe('u_1');
  });

  test('are not asked for when the renewal of an account took all the time: the component is not to blame', async () => {
    const { configurator, requests } = configuratorAt({ renewalMs: 8_000 });
    const options = configurator.options(
      { component, userId, props: { slack: { authProvisionId: 'apn_1' } }, deadline: 10_000 },
      { prop: 'channel', page: 0, prevContext: null, query: undefined },
    );
    await expect(options).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect(requests).toEqual([]);
  });
});
