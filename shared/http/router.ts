import { ServiceError } from '../domain/errors.ts';
import type { Route } from './route.ts';

/** An operation that a request asks for, and the parameters in its path. */
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
 * Finds the operation of a request. A trailing slash makes no difference; each segment is decoded once, after the path was
 * split, so `%2f` separates nothing.
 */
export function createRouter(operations: Readonly<Record<string, { route: Route }>>) {
  const candidates: Candidate[] = Object.entries(operations).map(([operation, { route }]) => ({
    operation,
    route,
    segments: route.path.slice(1).split('/'),
  }));

  return (method: string, path: string): Match => {
    const segments = decodedSegments(path);
    const fitting = segments ? candidates.filter((candidate) => fits(candidate, segments)) : [];
    const found = fitting.find(({ route }) => route.method === method);
    if (found && segments) {
      return { operation: found.operation, route: found.route, parameters: parametersOf(found, segments) };
    }
    if (fitting.length === 0)
      throw new ServiceError('not_found', 'not_found', 'There is nothing at this address.');
    const allow = [...new Set(fitting.map(({ route }) => route.method))];
    throw new ServiceError(
      'method_not_allowed',
      'method_not_allowed',
      `This address takes ${allow.join(', ')}, not ${method}.`,
      { allow },
    );
  };
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

const fits = ({ segments }: Candidate, given: readonly string[]): boolean =>
  segments.length === given.length &&
  segments.every((segment, index) => (isParameter(segment) ? given[index] !== '' : segment === given[index]));

function parametersOf({ segments }: Candidate, given: readonly string[]): Record<string, string> {
  const pairs = segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), given[index] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}
