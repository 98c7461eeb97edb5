import { bearer, type HookScenario, type Registered, type TimerScenario } from '../scenario.ts';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';
import { type Call, matches, type Rule } from '../stand-in.ts';
import { AGENT, REGISTER, remove, title } from './common.ts';

const HOST = 'acme.salesforce.com';
const SOBJECTS = '/services/data/v50.0/sobjects/Lead';
const account = (token: string) => ({
  prop: 'salesforce',
  app: 'salesforce_rest_api',
  fields: { oauth_access_token: token, instance_url: `https://${HOST}` },
});
const CREATED_AT = '2026-01-01T00:00:00.000+0000';

const describeLead = (name: string, headers: Rule['headers'] & object): Rule => ({
  name,
  method: 'GET',
  path: `${SOBJECTS}/describe`,
  headers,
  response: { body: { fields: [{ name: 'Id' }, { name: 'Title__c', nameField: true }] } },
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const inside = (value: unknown, element: string): string[] =>
  [...text(value).matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, one = '']) => one);
/** Names in the SOAP request with which the code was brought in. */
const namesOf = ({ text: sent }: Call, word: 'class' | 'trigger') => [
  ...new Set([...sent.matchAll(new RegExp(`\\b${word} (SW_\\w+)`, 'g'))].map(([, name = '']) => name)),
];

const soap = (name: string, token: string, action: string, body: Rule['body'] & object): Rule => ({
  name,
  method: 'POST',
  path: `/services/Soap/${action === 'compileAndTest' ? 's' : 'm'}/50.0`,
  headers: { ...bearer(token), 'content-type': 'text/xml', soapaction: action },
  body,
  response: { headers: { 'content-type': 'text/xml' }, body: '<success>true</success>' },
});

/** Its code sends what happens to the endpoint, with a token that the code carries. */
const tokenIn = (call: Call) => /X-Webhook-Token&#x27;, &#x27;([0-9a-f-]{36})&#x27;/.exec(call.text)?.[1] ?? '';
const DEPLOY = 'bring the code in';

const instant = (name: string, event: string, members: (n: number) => object, summary: string): HookScenario => {
  const token = `salesforce-${name}`;
  // The code that the component brings in sends the request.
  const change = ({ address, secret }: Receiver, n: number): SentRequest => ({
    url: address,
    headers: { ...JSON_TYPE, 'X-Webhook-Token': secret },
    body: JSON.stringify({ [event]: { Id: `lead-${n}`, Title__c: title(n), ...members(n) } }),
  });
  return {
    component: `salesforce/sources/${name}/${name}.js`,
    host: HOST,
    account: account(token),
    props: () => ({ objectType: 'Lead' }),
    customResponse: true,
    activate: (endpoint) => [
      describeLead('describe for the component', { ...bearer(token), ...AGENT }),
      {
        ...describeLead('describe for the code', { ...bearer(token), 'content-type': 'text/xml' }),
        isOptional: true,
      },
      soap(REGISTER, token, 'remoteSiteSetting', (value) => {
        const [url] = inside(value, 'url');
        return inside(value, 'urn:sessionId')[0] === token && matches(endpoint(), url);
      }),
      soap(DEPLOY, token, 'compileAndTest', /<CompileAndTestRequest>\s*<classes>/),
    ],
    deactivate: ({ call }: Registered) => [
      remove(
        soap(
          'remove',
          token,
          'remoteSiteSetting',
          (value) => inside(value, 'fullName').join() === inside(call(REGISTER).body, 'fullName').join(),
        ),
      ),
      soap('take the code out', token, 'compileAndTest', (value) => {
        const deployed = call(DEPLOY);
        return (
          inside(value, 'deleteClasses').sort().join() === namesOf(deployed, 'class').sort().join() &&
          inside(value, 'deleteTriggers').join() === namesOf(deployed, 'trigger').join()
        );
      }),
    ],
    secret: (callOf) => tokenIn(callOf(DEPLOY)),
    sends: change,
    emits: (n, { body }) => ({ summary: `${summary}: ${title(n)}`, event: JSON.parse(body) }),
    responses: { status: 200 },
    wrong: (to) => ({ ...change({ ...to, secret: 'guessed' }, 3), status: 404 }),
  };
};

export const salesforceHooks: readonly HookScenario[] = [
  instant('new-object-instant', 'New', () => ({ CreatedDate: CREATED_AT }), 'New lead created'),
  {
    ...instant('object-updated-instant', 'New', () => ({ LastModifiedDate: CREATED_AT }), 'Lead updated'),
    isExtra: true,
  },
];

/**
 * Ids of what changed in the time that the component asks about, and each by its id: created just before that time's
 * end.
 */
function changes(ids: readonly string[], token: string): readonly Rule[] {
  const headers = { ...bearer(token), ...AGENT };
  let end = '';
  return [
    {
      name: 'what changed',
      method: 'GET',
      path: `${SOBJECTS}/updated`,
      query: { start: /^[\d-]+T[\d:]+Z$/, end: /^[\d-]+T[\d:]+Z$/ },
      headers,
      response: (call) => {
        end = call.query['end'] ?? '';
        return { body: { ids, latestDateCovered: end } };
      },
    },
    ...ids.map((id): Rule => ({
      name: id,
      method: 'GET',
      path: `${SOBJECTS}/${id}`,
      headers,
      response: () => ({ body: { Id: id, Title__c: id, CreatedDate: end } }),
    })),
  ];
}

export const salesforceTimers: readonly TimerScenario[] = [
  {
    component: 'salesforce/sources/new-object/new-object.js',
    host: HOST,
    account: account('salesforce-polled'),
    props: () => ({ objectType: 'Lead' }),
    isExtra: true,
    activate: [describeLead('describe', { ...bearer('salesforce-polled'), ...AGENT })],
    polls: [
      {
        rules: () => changes(['A', 'B'], 'salesforce-polled'),
        emits: ['New Lead created: A', 'New Lead created: B'],
      },
      { rules: () => changes(['C'], 'salesforce-polled'), emits: ['New Lead created: C'] },
    ],
  },
];
