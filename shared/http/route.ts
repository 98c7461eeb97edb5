import type * as z from 'zod';
import type { Group } from './gateway-routes.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Where an operation's parameters come from. `both`: the query, and the JSON body for what the query lacks. `event`: the body is an
 * event, so nothing is read from it.
 */
type InputPlace = 'query' | 'body' | 'both' | 'event';

/** What a success looks like. `page` lists carry `page_info`, `list`s do not; `none` has no body, a `document` no envelope. */
export type Envelope = 'single' | 'page' | 'list' | 'accepted' | 'none' | 'document';

/** One operation of the interface: the router, the checks and the OpenAPI document all read this. */
export interface Route<Path extends z.ZodType = z.ZodType, Input extends z.ZodType = z.ZodType> {
  group: Group;
  method: Method;
  /** With `{parameters}`, from the root. */
  path: string;
  summary: string;
  /** The parameters of `path`. */
  parameters: Path;
  input: Input;
  from: InputPlace;
  envelope: Envelope;
  /** One element of `data`. */
  data?: z.ZodType;
  /** Statuses besides those that every operation may answer with. */
  errors: readonly number[];
  /** Beyond the interface (decisions: *extension*). */
  isExtension: boolean;
  /** Answers without a key. */
  isPublic: boolean;
}

type Given<Path extends z.ZodType, Input extends z.ZodType> = Pick<
  Route<Path, Input>,
  'group' | 'method' | 'path' | 'summary' | 'parameters' | 'input' | 'envelope'
> &
  Partial<Route<Path, Input>>;

export const route = <Path extends z.ZodType, Input extends z.ZodType>(
  given: Given<Path, Input>,
): Route<Path, Input> => ({
  from: given.method === 'GET' ? 'query' : 'body',
  errors: [],
  isExtension: false,
  isPublic: false,
  ...given,
});

export const SUCCESS: Record<Envelope, number> = {
  single: 200,
  page: 200,
  list: 200,
  accepted: 202,
  none: 204,
  document: 200,
};
