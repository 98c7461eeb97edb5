import type { AxiosRequestConfig } from 'axios';
import { axios } from './axios.ts';
import { ConfigurationError } from './configuration-error.ts';

/* Former globals of workflow steps. Some sources import them, although a source has no workflow. */

/** The event of a workflow, always empty in a source. */
export const $event: Record<string, unknown> = {};

/** Marker in the message of the error that `$end` throws. */
export const END_NEEDLE = '__end_of_workflow__';

/** Ends a workflow early; in a source it ends the run. */
export function $end(reason = ''): never {
  throw new Error(`${END_NEEDLE} ${reason}`.trim());
}

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

const unavailable = (kind: string) => (): never => {
  throw new ConfigurationError(`A source cannot use $send.${kind}: it emits events, and subscriptions carry them.`);
};

/** Only `http` works without a workflow. */
export const $send = {
  http: (config: AxiosRequestConfig): Promise<unknown> => axios(undefined, config),
  email: unavailable('email'),
  emit: unavailable('emit'),
  s3: unavailable('s3'),
  snowflake: unavailable('snowflake'),
  sql: unavailable('sql'),
  sse: unavailable('sse'),
};

/** The destinations of `$send` by name. */
export const sendTypeMap: typeof $send = { ...$send };
