import { errorReference, REQUEST_ID } from './error-responses.ts';
import { type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf } from './json-schema.ts';
import { eventSummary } from './examples.ts';
import { type LinkTarget, linksOf } from './links.ts';
import { elementOf, reference } from './named-schemas.ts';
import { rightOf } from '../rights.ts';
import { type Route, SUCCESS } from '../route.ts';

const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

/** One operation of the OpenAPI document. */
export function operationObject(operationId: string, route: Route, targets: readonly LinkTarget[]): JsonSchema {
  const { group, summary: description, isExtension } = route;
  const body = requestBodyOf(route);
  return {
    operationId,
    summary: firstSentenceOf(description),
    description,
    tags: [group],
    security: securityOf(operationId),
    ...(isExtension ? { 'x-extension': true } : {}),
    parameters: [...pathParametersOf(route), ...queryParametersOf(route)],
    ...(body ? { requestBody: body } : {}),
    responses: Object.fromEntries([
      successOf(
        route,
        targets.filter((target) => target.operationId !== operationId),
      ),
      ...errorStatusesOf(route).map((status): [number, JsonSchema] => [status, errorReference(status)]),
    ]),
  };
}

/**
 * The scope as a role of the scheme (https://learn.openapis.org/examples/v3.1/non-oauth-scopes.html). Without one,
 * every key may do it.
 */
function securityOf(operationId: string): JsonSchema[] {
  const right = rightOf(operationId);
  return right === 'public' ? [] : [{ apiKey: right === 'every' ? [] : [right] }];
}

const firstSentenceOf = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;

/** Error statuses of an operation, in ascending order. */
function errorStatusesOf({ method, path, isPublic, errors }: Route): number[] {
  const statuses = new Set([400, 405, 431, 500, 503, ...errors]);
  if (!isPublic) statuses.add(401).add(403);
  if (path.includes('{')) statuses.add(404);
  if (method !== 'GET') statuses.add(413).add(415);
  return [...statuses].sort((a, b) => a - b);
}

const DESCRIPTIONS = new Map([
  [202, 'Accepted.'],
  [204, 'Done.'],
  [302, 'To another address.'],
]);

function successOf(route: Route, targets: readonly LinkTarget[]): [number, JsonSchema] {
  const status = SUCCESS[route.envelope];
  const content = contentOf(route);
  const links = linksOf(route, targets);
  return [
    status,
    {
      description: DESCRIPTIONS.get(status) ?? 'Success.',
      headers: REQUEST_ID,
      ...(content ? { content } : {}),
      ...(links ? { links } : {}),
    },
  ];
}

const json = (schema: JsonSchema, example: object) => ({ 'application/json': { schema, example } });

const POSITION = {
  ...reference('PageInfo'),
  description: 'The size of the list, and the cursors of the page.',
};
const PAGE_INFO = { total_count: 1, count: 1, start_cursor: 'c3RhcnQ', end_cursor: 'c3RhcnQ' };

function contentOf(route: Route): JsonSchema | undefined {
  const { envelope, data, hasWarnings } = route;
  switch (envelope) {
    case 'none':
    case 'document':
    case 'html':
    case 'redirect':
      return undefined;
    case 'stream':
      return { 'text/event-stream': { schema: EVENT_STREAM, example: EVENT_STREAM_EXAMPLE } };
    case 'accepted':
      if (data) return contentOf({ ...route, envelope: 'single' });
      return json(object({ data: { ...object({}), description: 'Empty.' } }), { data: {} });
    case 'single': {
      const { schema, example } = elementOf(data);
      const warnings = hasWarnings ? { warnings: WARNINGS } : {};
      const described = { ...schema, description: 'The result of the operation.' };
      return json(object({ data: described, ...warnings }, ['data']), { data: example });
    }
    case 'list':
    case 'page': {
      const { schema, example } = elementOf(data);
      const items = { type: 'array', items: schema, description: 'The items, in the order of the list.' };
      return envelope === 'list'
        ? json(object({ data: items }), { data: [example] })
        : json(object({ page_info: POSITION, data: items }), {
            page_info: PAGE_INFO,
            data: [example],
          });
    }
  }
}

const EVENT_STREAM: JsonSchema = {
  type: 'string',
  description:
    'It begins with `event: start`, whose id is that of the newest event. Each event is a message without a name: its id, and in `data` one line of JSON, the item of `event_summaries` with `expand=event`. `event: gap` says that events were missed. A comment comes every 15 s.',
};
const EVENT_STREAM_EXAMPLE = `event: start\nid: ${eventSummary.id}\ndata: {}\n\n`;

const WARNINGS: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Legal input that is probably a slip, one sentence each; absent without any.',
};

const FIELD_LISTS: Record<string, JsonSchema> = {
  include: {
    type: 'string',
    description:
      'For clients without types: fields of data to return, comma-separated. The others are missing then, also those that the schema requires. Default: all.',
  },
  exclude: {
    type: 'string',
    description: 'For clients without types: fields of data to leave out, comma-separated.',
  },
};

const parameter = (name: string, { description, ...schema }: JsonSchema, options: JsonSchema): JsonSchema => ({
  name,
  ...options,
  description,
  schema,
});

const pathParametersOf = ({ parameters }: Route): JsonSchema[] =>
  Object.entries(propertiesOf(jsonSchemaOf(parameters, 'input'))).map(([name, schema]) =>
    parameter(name, schema, { in: 'path', required: true }),
  );

/** The service reads parameters of `both` from the body too; the document shows them where Pipedream's API has them. */
function queryParametersOf({ input, from, inBody }: Route): JsonSchema[] {
  const schema = jsonSchemaOf(input, 'input');
  const own = from === 'query' || from === 'both' ? Object.entries(propertiesOf(schema)) : [];
  const shown = [...own.filter(([name]) => !inBody.includes(name)), ...Object.entries(FIELD_LISTS)];
  const required = requiredOf(schema);
  return shown.map(([name, property]) => parameter(name, property, { in: 'query', required: required.includes(name) }));
}

function requestBodyOf({ method, input, from, inBody, example }: Route): JsonSchema | undefined {
  if (from === 'query') return undefined;
  const shown = example === undefined ? {} : { example };
  const content = (schema: JsonSchema) => ({ 'application/json': { schema, ...shown } });
  if (from === 'event')
    return {
      required: false,
      description: 'The event.',
      content: content({ type: 'object', additionalProperties: true }),
    };
  const schema = jsonSchemaOf(input, 'input');
  const own = Object.entries(propertiesOf(schema)).filter(([name]) => from === 'body' || inBody.includes(name));
  if (own.length === 0) return undefined;
  const properties = { ...Object.fromEntries(own), ...(method === 'DELETE' ? {} : FIELD_LISTS) };
  const required = requiredOf(schema).filter((name) => Object.hasOwn(properties, name));
  return {
    required: from === 'body',
    description: 'The parameters of the operation.',
    content: content(object(properties, required)),
  };
}
