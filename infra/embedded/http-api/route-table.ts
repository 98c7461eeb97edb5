import type { RouteSpec } from './api-spec.ts';

export interface Match {
  readonly route: RouteSpec;
  readonly parameters: Readonly<Record<string, string>> | undefined;
}

interface Pattern {
  /** `ANY` or a method. */
  readonly method: string;
  readonly segments: readonly Segment[];
  readonly route: RouteSpec;
}

type Segment = { readonly text: string } | { readonly variable: string; readonly greedy: boolean };

/**
 * Finds the route of a request as API Gateway does. A full match precedes a route with variables, which precedes a
 * greedy route; a route with the method precedes `ANY`; `$default` is last.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html#http-api-develop-routes.evaluation
 */
export class RouteTable {
  /** Patterns, the most specific one first. */
  readonly #patterns: readonly Pattern[];
  readonly #fallback: RouteSpec | undefined;

  constructor(routes: readonly RouteSpec[]) {
    this.#fallback = routes.find(({ key }) => key === '$default');
    this.#patterns = routes
      .filter(({ key }) => key !== '$default')
      .map((route) => patternOf(route))
      .sort((a, b) => order(a).localeCompare(order(b)));
  }

  find(method: string, path: string): Match | undefined {
    const segments = path.split('/');
    for (const pattern of this.#patterns) {
      if (pattern.method !== 'ANY' && pattern.method !== method) continue;
      if (fits(pattern, segments)) return { route: pattern.route, parameters: parametersOf(pattern, segments) };
    }
    return this.#fallback && { route: this.#fallback, parameters: undefined };
  }
}

function patternOf(route: RouteSpec): Pattern {
  const [method = '', path = ''] = route.key.split(' ');
  const segments = path.split('/').map((text): Segment => {
    const [, variable, plus] = /^\{(\w+)(\+?)\}$/.exec(text) ?? [];
    return variable === undefined ? { text } : { variable, greedy: plus === '+' };
  });
  return { method, segments, route };
}

/** A sort key: the kind of each segment (text, variable, greedy), then a method before `ANY`. */
const order = ({ segments, method }: Pattern) =>
  segments.map((segment) => ('text' in segment ? 'a' : segment.greedy ? 'c' : 'b')).join('') +
  (method === 'ANY' ? '2' : '1');

/**
 * A greedy variable matches the rest of the path, also an empty rest: `/x/` fits `/x/{proxy+}`. The documentation
 * leaves this open.
 */
function fits({ segments }: Pattern, parts: readonly string[]): boolean {
  // This runs for every route of every request, so it allocates nothing.
  for (let n = 0; n < segments.length; n += 1) {
    const segment = segments[n];
    const part = parts[n];
    if (segment === undefined || part === undefined) return false;
    if ('text' in segment) {
      if (segment.text !== part) return false;
    } else if (segment.greedy) return true;
    else if (part === '') return false;
  }
  return parts.length === segments.length;
}

function parametersOf({ segments }: Pattern, parts: readonly string[]): Record<string, string> | undefined {
  let parameters: Record<string, string> | undefined;
  for (const [n, segment] of segments.entries()) {
    if ('text' in segment) continue;
    parameters ??= {};
    parameters[segment.variable] = decoded(segment.greedy ? parts.slice(n).join('/') : (parts[n] ?? ''));
  }
  return parameters;
}

/** A malformed escape stays as it is. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
