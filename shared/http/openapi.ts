import type * as z from 'zod';
import { VERSION } from '../domain/version.ts';
import { type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf, withoutRequired } from './json-schema.ts';
import { type Envelope, type Route, SUCCESS } from './route.ts';
import { routes } from './routes.ts';
import * as responses from './responses.ts';

/** Names of the response schemas in the document. */
const NAMED: readonly (readonly [string, z.ZodType])[] = [
  ['Component', responses.ComponentResponse],
  ['Options', responses.OptionsResponse],
  ['Source', responses.SourceResponse],
  ['SourceListItem', responses.SourceListResponse],
  ['Subscription', responses.SubscriptionResponse],
  ['AutoSubscription', responses.AutoSubscriptionResponse],
  ['Webhook', responses.WebhookResponse],
  ['WebhookListItem', responses.WebhookListResponse],
  ['NewWebhook', responses.NewWebhookResponse],
  ['EventSummary', responses.EventSummaryResponse],
  ['LegacyEvent', responses.LegacyEventResponse],
  ['Trigger', responses.TriggerResponse],
  ['User', responses.UserResponse],
];

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The OpenAPI 3.1 document of the API, made from the schemas that requests are checked with. */
export function openApi(): JsonSchema {
  const all = Object.values(routes).flatMap((group) => Object.entries<Route>(group));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [operationId, route] of all) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operationOf(operationId, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: VERSION,
      description:
        'Event sources and subscriptions. API Gateway answers with its own error format when requests are throttled (429), take longer than 30 s (503) or exceed 10 MB (413).',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [
      ...Object.keys(routes).map((name) => ({ name })),
      { name: 'extensions', description: "Operations that Pipedream's REST API v1 does not have." },
    ],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: schemas(),
      responses: {
        Error: {
          description: 'An error.',
          headers: { 'x-request-id': { schema: { type: 'string' } } },
          content: json(reference('Error')),
        },
      },
    },
  };
}

function schemas(): Record<string, JsonSchema> {
  const named: [string, JsonSchema][] = [
    ['Error', jsonSchemaOf(responses.ErrorResponse, 'output')],
    ['PageInfo', jsonSchemaOf(responses.PageInfo, 'output')],
  ];
  for (const [name, response] of NAMED) {
    const schema = jsonSchemaOf(response, 'output');
    named.push([name, schema], [`${name}Fields`, withoutRequired(schema)]);
  }
  return Object.fromEntries(named);
}

function operationOf(operationId: string, route: Route): JsonSchema {
  const { group, summary, isExtension, isPublic } = route;
  const body = requestBodyOf(route);
  return {
    operationId,
    summary,
    tags: isExtension ? [group, 'extensions'] : [group],
    ...(isPublic ? { security: [] } : {}),
    ...(isExtension ? { 'x-extension': true } : {}),
    parameters: [...pathParametersOf(route), ...queryParametersOf(route)],
    ...(body ? { requestBody: body } : {}),
    responses: Object.fromEntries([
      successOf(route),
      ...errorStatusesOf(route).map((status) => [status, { $ref: '#/components/responses/Error' }]),
    ]),
  };
}

/** Error statuses of an operation, in ascending order. 405 is left out: it belongs to a path, not to an operation. */
function errorStatusesOf({ method, path, isPublic, errors }: Route): number[] {
  const statuses = new Set([400, 500, 503, ...errors]);
  if (!isPublic) statuses.add(401);
  if (path.includes('{')) statuses.add(404);
  if (method !== 'GET') statuses.add(413).add(415);
  return [...statuses].sort((a, b) => a - b);
}

function successOf({ envelope, data }: Route): [number, JsonSchema] {
  const status = SUCCESS[envelope];
  const headers = { 'x-request-id': { schema: { type: 'string' } } };
  if (envelope === 'none') return [status, { description: 'Done.', headers }];
  if (envelope === 'document')
    return [status, { description: 'The document.', content: json({ type: 'object' }) }];
  const schema = envelope === 'accepted' ? object({ data: object({}) }) : dataOf(envelope, elementOf(data));
  return [
    status,
    { description: envelope === 'accepted' ? 'Accepted.' : 'Success.', headers, content: json(schema) },
  ];
}

function dataOf(envelope: Envelope, element: JsonSchema): JsonSchema {
  if (envelope === 'single') return object({ data: element });
  const data = { type: 'array', items: element };
  return envelope === 'page' ? object({ page_info: reference('PageInfo'), data }) : object({ data });
}

/** The whole element, or the fields chosen by `include` and `exclude`. */
function elementOf(data: z.ZodType | undefined): JsonSchema {
  const [name] = NAMED.find(([, response]) => response === data) ?? [];
  if (name === undefined) throw new Error('The response schema of an operation has no name: add it to NAMED');
  return { anyOf: [reference(name), reference(`${name}Fields`)] };
}

const FIELD_LISTS: Record<string, JsonSchema> = {
  include: { type: 'string', description: 'Fields of data to return, comma-separated. Default: all.' },
  exclude: { type: 'string', description: 'Fields of data to leave out, comma-separated.' },
};

const pathParametersOf = ({ parameters }: Route): JsonSchema[] =>
  Object.entries(propertiesOf(jsonSchemaOf(parameters, 'input'))).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }));

function queryParametersOf({ input, from }: Route): JsonSchema[] {
  const schema = jsonSchemaOf(input, 'input');
  const own = from === 'query' || from === 'both' ? propertiesOf(schema) : {};
  // With `from: 'both'` a parameter may be in the body instead, so it is required in neither.
  const required = from === 'query' ? requiredOf(schema) : [];
  return Object.entries({ ...own, ...FIELD_LISTS }).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: parameter,
  }));
}

function requestBodyOf({ method, input, from }: Route): JsonSchema | undefined {
  if (from === 'event') return { required: false, content: json({ type: 'object' }) };
  if (from === 'query') return undefined;
  const schema = jsonSchemaOf(input, 'input');
  const properties = { ...propertiesOf(schema), ...(method === 'DELETE' ? {} : FIELD_LISTS) };
  if (Object.keys(properties).length === 0) return undefined;
  const required = from === 'body' ? requiredOf(schema) : [];
  return { required: from === 'body', content: json({ type: 'object', properties, required }) };
}
