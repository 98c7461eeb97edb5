import { type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf } from './json-schema.ts';
import { elementOf } from './named-schemas.ts';
import type { Route } from '../route.ts';

interface IdParameter {
  name: string;
  pattern: string;
  isInPath: boolean;
}

/** An operation, and its parameters that take ids of responses. */
export interface LinkTarget {
  operationId: string;
  method: Route['method'];
  parameters: readonly IdParameter[];
}

/** Parameters without a pattern that take an id. */
const PATTERNS: Readonly<Record<string, string>> = {
  '/v1/components/{key}': '^sc_',
  '/v1/sources/{id}/runs/{trigger_id}': '^api-',
};

/** Optional parameters of a query are filters, except for those that say what a removal removes. */
export function linkTargetOf(operationId: string, route: Route): LinkTarget {
  const { method, from, narrowing, input } = route;
  const schema = jsonSchemaOf(input, 'input');
  const inQuery = Object.entries(propertiesOf(schema)).filter(
    ([name]) => requiredOf(schema).includes(name) || narrowing.includes(name),
  );
  const takesQuery = from === 'query' || from === 'both';
  return {
    operationId,
    method,
    parameters: [...pathParametersOf(route), ...(takesQuery ? patterned(inQuery, { isInPath: false }) : [])],
  };
}

const pathParametersOf = ({ parameters, path }: Route) =>
  patterned(Object.entries(propertiesOf(jsonSchemaOf(parameters, 'input'))), { isInPath: true }, PATTERNS[path]);

const patterned = (
  properties: [string, JsonSchema][],
  { isInPath }: Pick<IdParameter, 'isInPath'>,
  defaultPattern?: string,
): IdParameter[] =>
  properties.flatMap(([name, { pattern = defaultPattern }]) =>
    typeof pattern === 'string' ? { name, pattern, isInPath } : [],
  );

/**
 * Links from the ids of a response to the operations that take them. The example of the response tells which ids it
 * has.
 */
export function linksOf(route: Route, targets: readonly LinkTarget[]): JsonSchema | undefined {
  const { data, envelope } = route;
  // The emitter of notices is no source.
  if (!data || data === 'Notices' || envelope === 'none') return undefined;
  const element = envelope === 'page' || envelope === 'list' ? '/data/0' : '/data';
  const ids = Object.entries(elementOf(data).example).flatMap(([name, value]) =>
    /^(.+_)?id$/.test(name) && typeof value === 'string' ? { name, value } : [],
  );
  const own = pathParametersOf(route);
  const links = targets.flatMap((target): [string, JsonSchema][] => {
    const values = valuesOf(target, { ids, element, own });
    const parameters = Object.fromEntries(values);
    return values.length > 0 ? [[target.operationId, { operationId: target.operationId, parameters }]] : [];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

interface Ids {
  ids: readonly { name: string; value: string }[];
  element: string;
  own: readonly IdParameter[];
}

/**
 * The parameters of a target by name. None if one of its path is missing, and for a target that changes something other
 * than the object of the response.
 */
function valuesOf({ method, parameters }: LinkTarget, { ids, element, own }: Ids): [string, string][] {
  const used = new Map<string, string>();
  const values = new Map<string, string>();
  for (const { name, pattern, isInPath } of parameters) {
    const fitting = ids.filter((id) => !used.has(id.name) && new RegExp(pattern).test(id.value));
    const id = fitting.find((each) => each.name === name) ?? fitting[0];
    if (id) {
      used.set(id.name, name);
      values.set(name, `$response.body#${element}/${id.name}`);
    } else if (isInPath && own.some((each) => each.name === name && each.pattern === pattern)) {
      values.set(name, `$request.path.${name}`);
    }
  }
  const isReached = parameters.every(({ name, isInPath }) => !isInPath || values.has(name));
  const isComplete = used.size > 0 && parameters.every(({ name }) => values.has(name));
  const isOfSameNames = [...used].every(([id, name]) => id === name);
  const isMeant = used.has('id') || (isComplete && (method === 'GET' || isOfSameNames));
  return isReached && isMeant ? [...values] : [];
}
