import { cut } from '../lib/cut.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Route } from './route.ts';

export interface Match {
  operation: string;
  route: Route;
  parameters: Record<string, string>;
}

interface Candidate {
  operation: string;
  route: Route;
  segments: readonly string[];
}

/**
 * Finds the operation of a request. Ignores a trailing slash. Splits the path before it decodes each segment once, so
 * `%2f` is not a separator.
 */
export function createRouter(operations: Readonly<Record<string, { route: Route }>>) {
  const candidates: Candidate[] = Object.entries(operations).map(([operation, { route }]) => ({
    operation,
    route,
    segments: route.path.slice(1).split('/'),
  }));

  return (method: string, path: string): Match => {
    const segments = decodedSegments(path);
    const fitting = segments ? mostExact(candidates.filter((candidate) => fits(candidate, segments))) : [];
    const found = fitting.find(({ route }) => methodsOf(route).includes(method));
    if (found && segments) {
      return { operation: found.operation, route: found.route, parameters: parametersOf(found, segments) };
    }
    if (fitting.length === 0) throw new ServiceError('not_found', noSuchPath(path, segments));
    const allow = [...new Set(fitting.flatMap(({ route }) => methodsOf(route)))];
    throw new ServiceError('method_not_allowed', `This path accepts ${allow.join(', ')}, not ${method}.`, { allow });
  };
}

/** Monitors ask for the head of a page. */
const methodsOf = ({ method, isPublic }: Route): readonly string[] =>
  isPublic && method === 'GET' ? ['GET', 'HEAD'] : [method];

/** Candidates of one path: `/components/configure` is another one than `/components/{key}`. */
function mostExact(fitting: readonly Candidate[]): readonly Candidate[] {
  const parametersIn = ({ segments }: Candidate) => segments.filter(isParameter).length;
  const fewest = Math.min(...fitting.map(parametersIn));
  return fitting.filter((candidate) => parametersIn(candidate) === fewest);
}

const LONGEST_SHOWN = 100;
/** On one machine the gateway answers the path. */
const NO_METRICS =
  'This service runs on AWS, where CloudWatch has its metrics: only a service on one machine has /metrics.';

/** API Gateway gives the same path encoded or decoded; the sentence is the same for both. */
function noSuchPath(path: string, segments: readonly string[] | undefined): string {
  if (segments?.join('/') === 'metrics') return NO_METRICS;
  const shown = segments ? `/${segments.map(encodeURIComponent).join('/')}` : path;
  return `The API has no path ${cut(shown, LONGEST_SHOWN)}; GET /docs lists its paths.`;
}

function decodedSegments(path: string): string[] | undefined {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  try {
    return trimmed.split('/').map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

const isParameter = (segment: string) => segment.startsWith('{');

const fits = ({ segments }: Candidate, path: readonly string[]): boolean =>
  segments.length === path.length &&
  segments.every((segment, index) => (isParameter(segment) ? path[index] !== '' : segment === path[index]));

function parametersOf({ segments }: Candidate, path: readonly string[]): Record<string, string> {
  const pairs = segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), path[index] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}
