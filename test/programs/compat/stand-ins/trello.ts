import type { HookScenario } from '../scenario.ts';
import type { Rule } from '../stand-in.ts';
import { action, check } from '../senders/trello.ts';
import { TITLES, register, remove, title } from './common.ts';

/** A signer that the account names signs each request to the upstream. */
const signer: Rule = {
  name: 'sign',
  method: 'POST',
  path: '/trello-signer',
  body: { token: { key: 'trello-key', secret: 'trello-secret' }, requestData: {} },
  response: { body: 'OAuth signed-for-trello' },
};
const trelloHeaders = { authorization: 'OAuth signed-for-trello' };
export const trello = [
  {
    name: 'new-board',
    props: undefined,
    model: 'me-1',
    type: 'createBoard',
    kind: 'board',
    lookup: '/1/boards/',
  },
  {
    name: 'new-label',
    props: { boardId: 'b7' },
    model: 'b7',
    type: 'createLabel',
    kind: 'label',
    lookup: '/1/labels/',
  },
].map(({ name, props, model, type, kind, lookup }): HookScenario => ({
  component: `trello/sources/${name}/${name}.js`,
  host: 'api.trello.com',
  account: {
    prop: 'trello',
    app: 'trello',
    fields: {
      oauth_access_token: 'trello-key',
      oauth_refresh_token: 'trello-secret',
      oauth_signer_uri: ({ plain }) => `${plain}/trello-signer`,
    },
  },
  ...(props ? { props: () => props } : {}),
  activate: (endpoint) => [
    ...(props
      ? []
      : [
          {
            name: 'me',
            method: 'GET' as const,
            path: '/1/members/me',
            headers: trelloHeaders,
            response: { body: { id: model } },
          },
        ]),
    register({
      method: 'POST',
      path: '/1/webhooks/',
      query: { idModel: model, description: 'Pipedream Source ID', callbackURL: endpoint() },
      headers: trelloHeaders,
      response: { body: { id: `hook-${kind}` } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: `/1/webhooks/hook-${kind}`,
      headers: trelloHeaders,
      response: { body: {} },
    }),
  ],
  plainRules: [signer],
  lookups: TITLES.map((found) => ({
    name: `look ${found} up`,
    method: 'GET',
    path: `${lookup}${found}`,
    headers: trelloHeaders,
    response: { body: { id: found, name: found, color: 'red', idBoard: 'b7' } },
  })),
  secret: () => 'trello-secret',
  greets: check,
  sends: (to, n) => action(to, { type, data: { [kind]: { id: title(n), name: title(n) } } }),
  emits: (n) => ({
    summary: kind === 'label' ? `red - ${title(n)}` : title(n),
    event: { id: title(n), idBoard: 'b7' },
  }),
}));
