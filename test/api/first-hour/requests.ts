/** The component of the requests, and of `poller.mjs` in the commands. */
export const POLLER = `export default {
  name: 'Poller', key: 'poller', version: '0.0.1',
  props: {
    timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
    url: 'string',
    count: { type: 'integer', optional: true },
  },
  run() {},
};
`;

type Row = readonly [what: string, reads: string, body?: object | string];

const props = (configured_props: object) => ({ component_code: POLLER, configured_props });
const code = (component_code: string) => ({ component_code });

/** By method, path, status and code. */
const MISTAKES: Readonly<Record<string, readonly Row[]>> = {
  'GET /sorces 404 not_found': [['a wrong address', 'The API has no path /v1/sorces; GET /docs lists its paths.']],
  'GET /sources 405 method_not_allowed': [['a wrong method', 'This path accepts POST, not GET.']],
  'POST /webhooks 400 malformed_json': [
    [
      'a trailing comma',
      'The body is not valid JSON: remove the comma before } (line 1, column 29).',
      '{"url": "https://a.example",}',
    ],
    [
      'single quotes',
      'The body is not valid JSON: the name of a member must be in double quotes (line 1, column 2).',
      "{'url': 'https://a.example'}",
    ],
  ],
  'POST /webhooks 400 invalid_request': [
    ['an array as body', 'The body must be a JSON object.', '[1]'],
    ['a webhook without an address', 'url is required.', {}],
  ],
  'POST /sources 400 invalid_request': [
    ['no component', 'component_id is required unless component_code, component_url or key is given.', {}],
    ['a missing prop', 'configured_props.url is required.', props({})],
    [
      'a typo in a prop',
      'configured_props.cuont is no prop of this component; it has timer, url, count.',
      props({ url: 'x', cuont: 1 }),
    ],
    ['a prop of a wrong type', 'configured_props.count must be an integer.', props({ url: 'x', count: '1' })],
    [
      'too short an interval',
      'configured_props.timer must have interval_seconds of at least 15.',
      props({ url: 'x', timer: { interval_seconds: 5 } }),
    ],
    [
      'cron with seconds',
      'configured_props.timer has a cron that must have five fields (minute, hour, day of the month, month, day of the week), not 6.',
      props({ url: 'x', timer: { cron: '0 0 6 * * *' } }),
    ],
    [
      'an hour that is none',
      'configured_props.timer has a cron that has an invalid hour field: 25; it takes 0 to 23.',
      props({ url: 'x', timer: { cron: '0 25 * * *' } }),
    ],
  ],
  'POST /components 400 build_failed': [
    ['code that does not parse', 'component.mjs:2:9: Unexpected ";"', code('export default {\n  name: ;\n};')],
    [
      'an import that is not there',
      'component.mjs:1:8: "./money.mjs" is a relative import, and code sent as text has no other files; send them as component_files, or deploy it by component_url',
      code("import './money.mjs';\nexport default { name: 'X', run() {} };"),
    ],
    [
      'code without a default export',
      'component.mjs has no default export: add export default { … }',
      code('export const name = 1;'),
    ],
  ],
  'POST /components 400 load_failed': [
    [
      'code that throws when it loads',
      'The component does not load: ReferenceError: missing is not defined (component.mjs:1)',
      code("missing();\nexport default { name: 'X', run() {} };"),
    ],
    [
      'an action',
      'The component does not load: it is of type "action"; only sources can be deployed',
      code("export default { name: 'X', type: 'action', run() {} };"),
    ],
    [
      'a component without a name',
      'The component does not load: it has no `name`; every component needs one',
      code('export default { run() {} };'),
    ],
  ],
  'GET /components/registry/rsss 404 not_found': [['a key that nobody published', 'There is no component rsss.']],
  'POST /components 400 invalid_url': [
    [
      'an address of code without a protocol',
      'component_url must begin with http:// or https://.',
      { component_url: 'a.example/x.mjs' },
    ],
  ],
  'POST /webhooks 400 invalid_url': [
    ['a webhook without a protocol', 'url must begin with http:// or https://.', { url: 'a.example/hook' }],
  ],
  'POST /subscriptions 400 invalid_request': [
    [
      'an id of a wrong kind',
      'listener_id must be the id of a source (dc_…), a workflow (p_…) or a webhook (wh_…).',
      { emitter_id: 'dc_*', listener_id: 'sc_0mvx3k2p9a1b2c3d4e5f6g7h' },
    ],
    [
      'a typo in a stream',
      'event_name must not begin with $, but for the streams $errors and $logs.',
      { emitter_id: 'dc_*', listener_id: 'SOURCE', event_name: '$error' },
    ],
    [
      'a filter without arrays',
      'filter.type must be an array of values, or an object of fields.',
      { emitter_id: 'dc_*', listener_id: 'SOURCE', filter: { type: 'paid' } },
    ],
  ],
  'POST /subscriptions 404 not_found': [
    [
      'a listener that is not there',
      'There is no wh_….',
      { emitter_id: 'dc_*', listener_id: 'wh_0mvx3k2p9a1b2c3d4e5f6g7h' },
    ],
  ],
  'POST /webhooks/wh_0mvx3k2p9a1b2c3d4e5f6g7h/recover 400 invalid_request': [
    ['a recovery without a time', 'since is required.', {}],
  ],
  'GET /users/me/sources?limit=1000 400 invalid_request': [
    ['too long a page', 'limit must be an integer from 1 to 100.'],
  ],
  'GET /sources/SOURCE/event_summaries?expand=true 400 invalid_request': [
    ['expand with another value', 'expand must be event.'],
  ],
  'GET /sources/dc_0mvx3k2p9a1b2c3d4e5f6g7h 404 not_found': [
    ['a source that is not there', 'There is no source dc_….'],
  ],
  'POST /sources/DISABLED/run 400 invalid_request': [
    ['a run of a disabled source', 'The source dc_… is not active: enable it first (PUT with "active": true).', {}],
  ],
  'POST /sources/SOURCE/run 413 too_large': [
    [
      'too large a body',
      'The body has 1048611 bytes; it must not exceed 1 MiB (1048576 bytes).',
      { text: 'x'.repeat(1_048_600) },
    ],
  ],
};

/** Wrong requests, and the sentence that answers each. `SOURCE` and `DISABLED` stand for ids of sources. */
export const REQUESTS = Object.entries(MISTAKES).flatMap(([request, rows]) => {
  const [method = '', path = '', ...response] = request.split(' ');
  return rows.map(([what, reads, body]) => ({
    what,
    method,
    path,
    body,
    response: response.join(' '),
    reads,
  }));
});
