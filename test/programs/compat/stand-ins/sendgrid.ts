import { generateKeyPairSync, sign } from 'node:crypto';
import { bearer, type HookScenario } from '../scenario.ts';
import { AGENT, register, remove, title } from './common.ts';

const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sendgridHeaders = { ...bearer('sendgrid-key'), ...AGENT };
const sendgridBody = (n: number) => [{ event: 'delivered', sg_event_id: `sg${n}`, email: title(n) }];
const sendgridSigned = (n: number) => ({
  'x-twilio-email-event-webhook-timestamp': '1600000000',
  'x-twilio-email-event-webhook-signature': sign(
    'sha256',
    Buffer.from(`1600000000${JSON.stringify(sendgridBody(n))}`),
    sendgridKeys.privateKey,
  ).toString('base64'),
});
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
  delivery: (n) => ({ headers: sendgridSigned(n), body: sendgridBody(n) }),
  emits: (n) => ({ summary: 'New event: delivered', event: { sg_event_id: `sg${n}`, email: title(n) } }),
  responses: { status: 200 },
  wrong: () => ({ headers: sendgridSigned(1), body: sendgridBody(2), status: 400 }),
};
