import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApi } from '../../../../../shared/http/openapi/openapi.ts';

/* Rules of the document that client generators need. Each test lists the parts that break one. */

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
});
type Schema = z.infer<typeof Schema>;
const Parameter = z.object({ name: z.string(), in: z.string(), description: z.string(), schema: Schema });
const Link = z.object({ operationId: z.string(), parameters: z.record(z.string(), z.string()) });
const Response = z.looseObject({
  content: z.unknown().optional(),
  links: z.record(z.string(), Link).optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(Parameter),
  responses: z.record(z.string(), Response),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), Schema),
    responses: z.record(z.string(), z.unknown()),
  }),
});

const json: unknown = JSON.parse(JSON.stringify(openApi('http://127.0.0.1:3000')));
const document = Document.parse(json);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const KEYWORDS = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'properties', 'enum', 'const'];

/** Every schema of the document, with its path. Members of `properties` are schemas by name, not keywords. */
function* schemasIn(value: unknown, path: string, isMap = false): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  const isSchema = !isMap && !Array.isArray(value) && KEYWORDS.some((keyword) => keyword in value);
  if (isSchema && !path.includes('/securitySchemes')) yield [path, Schema.parse(value)];
  for (const [name, member] of Object.entries(value))
    if (name !== 'example' && name !== 'links') yield* schemasIn(member, `${path}/${name}`, name === 'properties');
}
const schemas = [...schemasIn(json, '')];
const typesOf = ({ type }: Schema) => [type].flat();
const pathsOf = (found: typeof schemas) => found.map(([path]) => path);

test('the walk finds schemas of bodies, parameters, headers and components', () => {
  const paths = pathsOf(schemas).join('\n');
  expect(schemas.length).toBeGreaterThan(500);
  expect(paths).toContain('/requestBody/content/application/json/schema/properties/configured_props');
  expect(paths).toContain('/parameters/0/schema');
  expect(paths).toContain('/headers/retry-after/schema');
  expect(paths).toContain('/components/schemas/Webhook/properties/last_attempt/properties/at_ms');
});

test('an integer that may exceed 2^31 has the format int64', () => {
  const wrong = schemas.filter(
    ([, schema]) =>
      typesOf(schema).includes('integer') &&
      schema.format !== 'int64' &&
      !(schema.maximum !== undefined && schema.maximum < 2 ** 31),
  );
  expect(pathsOf(wrong)).toEqual([]);
});

test('every other number has the format double', () => {
  const wrong = schemas.filter(([, schema]) => typesOf(schema).includes('number') && schema.format !== 'double');
  expect(pathsOf(wrong)).toEqual([]);
});

test('there is no anyOf, oneOf or allOf', () => {
  const wrong = schemas.filter(([, schema]) => 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema);
  expect(pathsOf(wrong)).toEqual([]);
});

test('a schema has one type, and null beside it where it is allowed', () => {
  const wrong = schemas.filter(([, schema]) => {
    const types = typesOf(schema);
    return types.length > 2 || (types.length === 2 && types[1] !== 'null') || types[0] === 'null';
  });
  expect(pathsOf(wrong)).toEqual([]);
  expect(document.components.schemas['Webhook']).toMatchObject({
    properties: { name: { type: ['string', 'null'] }, last_attempt: { type: ['object', 'null'] } },
  });
});

test('every id is one string with one pattern', () => {
  const isId = /\/properties\/(\w+_)?id$/;
  // Ids of triggers and emits, and those in the schemas of metadata, are free text.
  const isFree = /\/(Trigger|Run|metadata)\/properties\/id$|\/properties\/(trigger|emit|request)_id$/;
  const ids = schemas.filter(([path]) => isId.test(path) && !isFree.test(path));
  expect(ids.length).toBeGreaterThan(20);
  const wrong = ids.filter(
    ([, schema]) => typesOf(schema)[0] !== 'string' || schema.pattern === undefined || schema.enum !== undefined,
  );
  expect(pathsOf(wrong)).toEqual([]);
});

test('parameters have the pattern of the ids in responses', () => {
  // A trigger id is free text; metrics take several ids.
  const isFree = (operation: string, name: string) =>
    name === 'trigger_id' || (operation === 'getMetrics' && name !== 'id');
  const wrong = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ name, schema }) => /(^|_)id$/.test(name) && schema.pattern === undefined && !isFree(operationId, name))
      .map(({ name }) => `${operationId} ${name}`),
  );
  expect(wrong).toEqual([]);
  const patternOf = (name: string, property: string) =>
    z.looseObject({ properties: z.record(z.string(), Schema) }).parse(document.components.schemas[name]).properties[
      property
    ]?.pattern;
  const taken = (operation: string, name: string) =>
    operations.find(({ operationId }) => operationId === operation)?.parameters.find((each) => each.name === name)
      ?.schema.pattern;
  expect(taken('getSource', 'id')).toBe(patternOf('Source', 'id'));
  expect(taken('createSubscription', 'emitter_id')).toBe(patternOf('Subscription', 'emitter_id'));
  expect(taken('createSubscription', 'listener_id')).toBe(patternOf('Subscription', 'listener_id'));
});

test('booleans of a query are booleans', () => {
  const wrong = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ schema }) => schema.enum?.includes('true') === true)
      .map(({ name }) => `${operationId} ${name}`),
  );
  expect(wrong).toEqual([]);
  const force = operations
    .find(({ operationId }) => operationId === 'deleteAccount')
    ?.parameters.find(({ name }) => name === 'force');
  expect(force?.schema).toMatchObject({ type: 'boolean', default: false });
});

test('each operation has one tag', () => {
  expect(operations.filter(({ tags }) => tags.length !== 1).map(({ operationId }) => operationId)).toEqual([]);
});

/** Classes that generators put beside those of the schemas. `Error` is an exception. */
const CLASSES =
  /^(Configuration|Client|(Authenticated|Api|API)?Client|ApiException|ApiError|ApiResponse|APIResponse|BasicAuth|APIKey|Server(Configurations?|Variable)|GenericOpenAPIError|HttpClient|JSON|Model|Object|Option|Pair|Request|Response|Result|String\w*|Time|Type|Unset)$/;

test('no schema is called like a class that generators make', () => {
  const names = Object.keys(document.components.schemas);
  const wrong = names.filter((name) => CLASSES.test(name) || isMadeOf(name, names));
  expect(wrong).toEqual([]);
});

/** Go makes `NewWebhook` and `NullableWebhook` for `Webhook`. */
const isMadeOf = (name: string, names: readonly string[]) =>
  ['New', 'Nullable'].some((start) => names.some((other) => name === start + other));

test('405 is documented, and 431, which a long query gets', () => {
  const wrong = operations.filter(({ responses }) => !responses['405'] || !responses['431']);
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
  expect(document.components.responses['MethodNotAllowed']).toMatchObject({ headers: { allow: {} } });
});

test('links lead from ids in responses to parameters of operations', () => {
  const links = operations.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap((response) =>
      Object.values(response.links ?? {}).map((link) => ({ from: operationId, ...link })),
    ),
  );
  const wrong = links.flatMap(({ from, operationId, parameters }) => {
    const target = operations.find((each) => each.operationId === operationId);
    const path = target?.parameters.filter((each) => each.in === 'path').map(({ name }) => name) ?? [''];
    const known = target?.parameters.map(({ name }) => name) ?? [];
    const isRight =
      path.every((name) => name in parameters) && Object.keys(parameters).every((name) => known.includes(name));
    return isRight ? [] : [`${from} to ${operationId}`];
  });
  expect(wrong).toEqual([]);
  const from = (operation: string) =>
    Object.fromEntries(
      links.filter((each) => each.from === operation).map(({ operationId, parameters }) => [operationId, parameters]),
    );
  expect(from('createSource')).toMatchObject({
    getSource: { id: '$response.body#/data/id' },
    getComponent: { key: '$response.body#/data/component_id' },
    createSubscription: { emitter_id: '$response.body#/data/id' },
  });
  expect(from('listDeliveries')).toMatchObject({
    getDelivery: { id: '$response.body#/data/0/webhook_id', delivery_id: '$response.body#/data/0/id' },
  });
  expect(from('listSourceEventSummaries')).toMatchObject({
    deleteSourceEvents: { id: '$request.path.id', start_id: '$response.body#/data/0/id' },
  });
  // A link never leads from a delivery to what changes its source.
  expect(Object.keys(from('listDeliveries'))).not.toContain('updateSource');
  expect(Object.keys(from('listDeliveries'))).toContain('getSource');
  expect(from('getNotices')).toEqual({});
});

test('every operation that answers with an object of an id links to an operation', () => {
  const WITHOUT = [
    'getComponent',
    'findEvents',
    'getNotices',
    'getUser',
    'getSession',
    'startRecovery',
    'getRecovery',
    'getSourceRun',
    'testWebhook',
  ];
  const wrong = operations.filter(({ operationId, responses }) => {
    const { content, links } = responses['200'] ?? {};
    const [, name = ''] = /components\/schemas\/(\w+)"/.exec(JSON.stringify(content ?? '')) ?? [];
    const hasId = JSON.stringify(document.components.schemas[name] ?? '').includes('"properties":{"id"');
    return hasId && !links && !WITHOUT.includes(operationId);
  });
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
});

test('include and exclude are for clients without types', () => {
  const wrong = operations.flatMap(({ operationId, parameters }) =>
    ['include', 'exclude']
      .filter(
        (name) =>
          parameters.find((each) => each.name === name)?.description.startsWith('For clients without types:') !== true,
      )
      .map((name) => `${operationId} ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('each summary is one line: one sentence of at most 110 characters', () => {
  const wrong = operations.filter(({ summary }) => !/^[^\n]{1,110}$/.test(summary) || /\. /.test(summary));
  expect(wrong.map(({ operationId, summary }) => `${operationId}: ${summary}`)).toEqual([]);
});
