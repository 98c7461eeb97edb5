import type * as z from 'zod';
import { VERSION } from '../../domain/version.ts';
import { errorResponses } from './error-responses.ts';
import { type JsonSchema, jsonSchemaOf, opened } from './json-schema.ts';
import { linkTargetOf } from './links.ts';
import { NAMED } from './named-schemas.ts';
import { operationObject } from './operation-object.ts';
import * as responses from '../responses.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes.ts';

const TAGS: Record<keyof typeof routes, string> = {
  components: 'The code of sources.',
  sources: 'Running, configured components, and their events.',
  workflows: 'Workflows that run outside of the service: their events and errors.',
  subscriptions: 'Subscriptions carry the events of an emitter to a listener.',
  webhooks: 'HTTP(S) addresses of yours that receive events.',
  accounts: 'Connected accounts of apps: what components need to call them.',
  live: 'Events as they come, as server-sent events.',
  users: 'The user of the API key, and what the user owns, API keys included.',
};

/** The document and its page stand outside of the API that they describe. */
const BASE = '/v1/';

const SCOPES =
  'An API key of a user. It has scopes, and none includes another one: `read` for reads and live streams, `send` for running a source with an event, `manage` for changes, `metrics` for the numbers of the whole service, which are no part of this document. An operation lists the scope that it needs; without it the response is 403 `missing_scope`.';

let described: JsonSchema | undefined;

/** The OpenAPI 3.1 document of the API at an origin, made once from the schemas that requests are checked with. */
export const openApi = (origin: string): JsonSchema => ({
  ...(described ??= describeApi()),
  servers: [{ url: origin, description: 'The service that gave this document.' }],
});

function describeApi(): JsonSchema {
  const all = Object.values(routes)
    .flatMap((group) => Object.entries<Route>(group))
    .filter(([, { path }]) => path.startsWith(BASE));
  const targets = all.map(([operationId, route]) => linkTargetOf(operationId, route));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [operationId, route] of all) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operationObject(operationId, route, targets);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: VERSION,
      description:
        'Event sources and subscriptions. On AWS: API Gateway answers with its own error format when requests are throttled (429), take longer than 30 s (503) or exceed 10 MB (413).',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service' },
    },
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: SCOPES },
      },
      schemas: schemas(),
      responses: errorResponses(),
    },
  };
}

function schemas(): Record<string, unknown> {
  const named: [string, z.ZodType][] = [
    ['Error', responses.ErrorResponse],
    ['PageInfo', responses.PageInfo],
    ...Object.entries(NAMED).map(([name, { schema }]): [string, z.ZodType] => [name, schema]),
  ];
  return Object.fromEntries(named.map(([name, schema]) => [name, opened(jsonSchemaOf(schema, 'output'))]));
}
