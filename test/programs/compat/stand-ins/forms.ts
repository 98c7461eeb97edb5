import { bearer, type HookScenario } from '../scenario.ts';
import { REGISTER, register, remove, title } from './common.ts';

const typeformRules = { path: /^\/forms\/f1\/webhooks\/[0-9a-f-]{36}$/, headers: bearer('typeform-token') };
export const typeform: HookScenario = {
  component: 'typeform/sources/new-submission/new-submission.js',
  host: 'api.typeform.com',
  account: { prop: 'typeform', app: 'typeform', fields: { oauth_access_token: 'typeform-token' } },
  props: () => ({ formId: 'f1' }),
  activate: (endpoint) => [
    register({
      method: 'PUT',
      ...typeformRules,
      body: { url: endpoint(), enabled: true, verify_ssl: true, secret: /^0\.\d+$/ },
      response: { body: {} },
    }),
  ],
  deactivate: ({ call }) => [
    remove({
      method: 'DELETE',
      headers: typeformRules.headers,
      path: call(REGISTER).path,
      response: { status: 204 },
    }),
  ],
  delivery: (n) => ({ body: { event_id: `t${n}`, form_response: title(n) } }),
  emits: (n) => ({ event: { event_id: `t${n}`, form_response: title(n) } }),
};

export const jotform: HookScenario = {
  component: 'jotform/sources/new-submission/new-submission.js',
  host: 'api.jotform.com',
  account: { prop: 'jotform', app: 'jotform', fields: { api_key: 'jotform-key' } },
  props: () => ({ formId: 'j1' }),
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/form/j1/webhooks',
      query: { webhookURL: endpoint('/') },
      headers: { apikey: 'jotform-key' },
      response: { body: { responseCode: 200 } },
    }),
  ],
  deactivate: ({ endpoint }) => [
    {
      name: 'list',
      method: 'GET',
      path: '/form/j1/webhooks',
      headers: { apikey: 'jotform-key' },
      response: { body: { content: { 0: 'http://other.test/', 1: `${endpoint}/` } } },
    },
    remove({
      method: 'DELETE',
      path: '/form/j1/webhooks/1',
      headers: { apikey: 'jotform-key' },
      response: {},
    }),
  ],
  delivery: (n) => ({ body: { submissionID: `s${n}`, rawRequest: JSON.stringify({ q: title(n) }) } }),
  emits: (n) => ({
    summary: JSON.stringify({ q: title(n) }),
    event: { submissionID: `s${n}`, formData: { q: title(n) } },
  }),
};

export const formstack: HookScenario = {
  component: 'formstack/sources/new-form-submission/new-form-submission.js',
  host: 'www.formstack.com',
  account: {
    prop: 'formstack',
    app: 'formstack',
    fields: { oauth_access_token: 'formstack-token', oauth_refresh_token: 'formstack-handshake' },
  },
  props: () => ({ formId: '31' }),
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/v2/form/31/webhook.json',
      query: { url: endpoint(), content_type: 'json', handshake_key: 'formstack-handshake' },
      headers: bearer('formstack-token'),
      response: { body: { id: 'fs1' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/api/v2/webhook/fs1.json',
      headers: bearer('formstack-token'),
      response: {},
    }),
  ],
  delivery: (n) => ({ body: { HandshakeKey: 'formstack-handshake', UniqueID: `u${n}`, name: title(n) } }),
  emits: (n) => ({ summary: `New Form Submission u${n}`, event: { UniqueID: `u${n}`, name: title(n) } }),
  wrong: () => ({ body: { HandshakeKey: 'guessed', UniqueID: 'u3' }, status: 200 }),
};
