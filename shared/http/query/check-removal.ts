import * as z from 'zod';
import type { Query } from './read-query.ts';
import type { Route } from '../route.ts';
import { invalidField } from '../../domain/check.ts';

/** Names that every operation takes. */
const OF_ALL = ['include', 'exclude'];

/**
 * Refuses a request whose slip would remove more than its sender meant: a query parameter that the operation does not
 * know, a parameter that narrows and is empty, and a member of the body that is a parameter in another spelling. Other
 * members are ignored, as everywhere.
 */
export function checkRemoval(route: Route, query: Query, json: Readonly<Record<string, unknown>>): void {
  const known = route.input instanceof z.ZodObject ? Object.keys(route.input.shape) : [];
  const takes = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`;
  const unknown = query.names.find((name) => !known.includes(name) && !OF_ALL.includes(name));
  if (unknown !== undefined)
    throw invalidField(unknown, `is not known: this operation ${takes}`, `The query parameter ${unknown}`);
  const empty = route.narrowing.find((name) => query.names.includes(name) && !Object.hasOwn(query.values, name));
  if (empty !== undefined)
    throw invalidField(empty, 'is empty, which would remove more: leave it out', `The query parameter ${empty}`);
  if (route.from !== 'both') return;
  const misspelt = Object.keys(json).find(
    (name) => !known.includes(name) && known.some((each) => folded(each) === folded(name)),
  );
  if (misspelt !== undefined)
    throw invalidField(misspelt, `is not known: this operation ${takes}`, `The member ${misspelt} of the body`);
}

/** `startId`, `START_ID` and `start-id` are one. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
