import { generateKeyPairSync } from 'node:crypto';
import { bearer, type HookScenario } from '../scenario.ts';
import { delivered } from '../senders/sendgrid.ts';
import type { Receiver } from '../sent-request.ts';
import { AGENT, register, remove } from './common.ts';

const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sendgridHeaders = { ...bearer('sendgrid-key'), ...AGENT };
const event = (to: Receiver, n: number) => delivered({ ...to, secret: sendgridKeys.privateKey }, n);
const sendgridSettings = '/v3/user/webhooks/event/settings';
export const sendgrid: HookScenario = {
  component: 'sendgrid/sources/events/events.js',
  host: 'api.sendgrid.com',
  account: { prop: 'sendgrid', app: 'sendgrid', fields: { api_key: 'sendgrid-key' } },
  props: () => ({ eventTypes: ['delivered', 'open'] }),
  customResponse: true,
  activate: (endpoint) => [
    {
      name: 'settings',
      method: 'GET',
      path: sendgridSettings,
      headers: sendgridHeaders,
      response: { body: { enabled: false } },
    },
    register({
      method: 'PATCH',
      path: sendgridSettings,
      headers: sendgridHeaders,
      body: { enabled: true, url: endpoint(), delivered: true, open: true, click: false },
      response: { body: {} },
    }),
    {
      name: 'sign',
      method: 'PATCH',
      path: `${sendgridSettings}/signed`,
      headers: sendgridHeaders,
      body: { enabled: true },
      response: {
        body: {
          public_key: sendgridKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        },
      },
    },
  ],
  deactivate: () => [
    remove({
      method: 'PATCH',
      path: sendgridSettings,
      headers: sendgridHeaders,
      body: { enabled: false, url: null, delivered: false },
      response: { body: {} },
    }),
    {
      name: 'no longer sign',
      method: 'PATCH',
      path: `${sendgridSettings}/signed`,
      headers: sendgridHeaders,
      body: { enabled: false },
      response: { body: {} },
    },
  ],
  sends: event,
  emits: (_, { body }) => ({ summary: 'New event: delivered', event: JSON.parse(body)[0] }),
  responses: { status: 200 },
  wrong: (to) => ({ ...event(to, 1), body: event(to, 2).body, status: 400 }),
};
