import { bearer, type HookScenario } from '../scenario.ts';
import { submission as formstackSubmission } from '../senders/formstack.ts';
import { submission as jotformSubmission } from '../senders/jotform.ts';
import { formResponse } from '../senders/typeform.ts';
import { bodyOf, REGISTER, register, remove, textOf } from './common.ts';

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
  secret: (callOf) => textOf(bodyOf(callOf(REGISTER))['secret']),
  sends: formResponse,
  emits: (_, { body }) => ({ event: JSON.parse(body) }),
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
  sends: jotformSubmission,
  emits: (n) => ({
    event: {
      formID: '221234567890',
      rawRequest: new RegExp(`"q4_question":"${n}"`),
      submissionID: `52345678901234567${n}`,
      formData: { q4_question: String(n) },
    },
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
  secret: (callOf) => callOf(REGISTER).query['handshake_key'] ?? '',
  sends: formstackSubmission,
  emits: (n) => ({
    summary: `New Form Submission 96178${n}`,
    event: { FormID: '31', UniqueID: `96178${n}` },
  }),
  wrong: (to) => ({ ...formstackSubmission({ ...to, secret: 'guessed' }, 3), status: 200 }),
};
