import client, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { isDict, isFunction } from '../guards.ts';
import { ConfigurationError } from './configuration-error.ts';
import { cloneSafe, isPlain, jsonStringifySafe, withoutUndefined } from './safe-json.ts';

export interface RequestConfig extends AxiosRequestConfig {
  /** Return the whole response instead of its data. */
  returnFullResponse?: boolean;
  /** Export request and response as `debug_config` and `debug_response`, if the step has `export`. */
  debug?: boolean;
}

/** For APIs with OAuth 1: an external signer makes the signature with the account behind the token. */
export interface SignConfig {
  oauthSignerUri: string;
  token: unknown;
}

export interface PlatformAxios {
  /** `step` is a component's `this` or a step's `$`; only its `export` is used, if it has one. */
  (step: unknown, config: RequestConfig, signConfig?: SignConfig): Promise<unknown>;
  /** The same client with defaults, which the config of a call overrides. */
  create(defaults?: RequestConfig): PlatformAxiosInstance;
}

type Ask = (url: string, config?: RequestConfig) => Promise<unknown>;
type Send = (url: string, data?: unknown, config?: RequestConfig) => Promise<unknown>;

/** The result of `create`, which also has the methods of an axios instance, without a step. */
interface PlatformAxiosInstance extends PlatformAxios {
  request: (config: RequestConfig) => Promise<unknown>;
  get: Ask;
  delete: Ask;
  head: Ask;
  options: Ask;
  post: Send;
  put: Send;
  patch: Send;
}

/**
 * The HTTP client that components import. Returns the data of a response, and throws errors with the response's body as
 * message.
 */
export const axios: PlatformAxios = withDefaults({});

function instance(defaults: RequestConfig): PlatformAxiosInstance {
  const call = withDefaults(defaults);
  const request = (config: RequestConfig) => call(undefined, config);
  const ask =
    (method: string): Ask =>
    (url, config) =>
      request({ ...config, method, url });
  const sending =
    (method: string): Send =>
    (url, data, config) =>
      request({ ...config, method, url, data });
  return Object.assign(call, {
    request,
    get: ask('get'),
    delete: ask('delete'),
    head: ask('head'),
    options: ask('options'),
    post: sending('post'),
    put: sending('put'),
    patch: sending('patch'),
  });
}

function withDefaults(defaults: RequestConfig): PlatformAxios {
  const call = (step: unknown, config: RequestConfig, signConfig?: SignConfig) => {
    // `axios(config)`, like the package `axios`.
    const isAlone = config === undefined && isDict(step) && typeof step['url'] === 'string';
    const merged: RequestConfig = { ...defaults, ...(isAlone ? step : config) };
    if (isPlain(defaults.headers) && isPlain(merged.headers))
      merged.headers = Object.fromEntries([...headersOf(defaults.headers), ...headersOf(merged.headers)]);
    return send(isAlone ? undefined : step, merged, signConfig);
  };
  return Object.assign(call, {
    create: (more: RequestConfig = {}) => instance({ ...defaults, ...more }),
  });
}

async function send(step: unknown, options: RequestConfig, signConfig?: SignConfig): Promise<unknown> {
  const { returnFullResponse = false, debug = false, ...rest } = options;
  const config = prepared(rest);
  if (signConfig) await sign(config, signConfig);
  try {
    if (debug) exportFrom(step, 'debug_config', config);
    const response = await client.request<unknown>(config);
    if (debug) exportFrom(step, 'debug_response', shown(response));
    return returnFullResponse ? response : response.data;
  } catch (error) {
    if (client.isAxiosError(error) && error.response) {
      if (debug) exportFrom(step, 'debug_response', shown(error.response));
      explain(error, error.response.data);
    }
    throw error;
  }
}

function prepared(config: AxiosRequestConfig): AxiosRequestConfig {
  if ('body' in config) throw new ConfigurationError('An axios config takes `data`, not `body`.');
  const clean: AxiosRequestConfig = { ...config };
  if (isPlain(config.headers)) clean.headers = Object.fromEntries(headersOf(config.headers));
  if (isPlain(config.params)) clean.params = withoutUndefined(config.params);
  if (isPlain(config.data)) clean.data = withoutUndefined(config.data);
  return moveQuery(clean);
}

const headersOf = (headers: object): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]: [string, unknown]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );

/** Moves the query of the URL to `params`; a parameter in both keeps the value of `params`. */
function moveQuery(config: AxiosRequestConfig): AxiosRequestConfig {
  if (config.url === undefined || !config.url.includes('?')) return config;
  const at = config.url.indexOf('?');
  const [query = '', fragment] = config.url.slice(at + 1).split('#');
  const params: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = params[name];
    if (earlier === undefined) params[name] = value;
    else params[name] = Array.isArray(earlier) ? [...earlier, value] : [earlier, value];
  }
  if (config.params instanceof URLSearchParams) return config;
  const url = config.url.slice(0, at) + (fragment === undefined ? '' : `#${fragment}`);
  // Repeat the name of a list parameter; axios would append `[]` to it.
  return {
    paramsSerializer: { indexes: null },
    ...config,
    url,
    params: { ...params, ...(isDict(config.params) ? config.params : {}) },
  };
}

/** The parts of a request that an OAuth 1 signature covers: method, URL with parameters, and form fields. */
export function transformConfigForOauth(config: AxiosRequestConfig): {
  method: string;
  url: string;
  data: unknown;
} {
  const isForm = headersOf(config.headers ?? {}).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.includes('application/x-www-form-urlencoded'),
  );
  return {
    method: (config.method ?? 'get').toLowerCase(),
    url: client.getUri(config),
    data: isForm ? formFields(config.data) : {},
  };
}

function formFields(data: unknown): unknown {
  if (typeof data === 'string') return Object.fromEntries(new URLSearchParams(data));
  return data instanceof URLSearchParams ? Object.fromEntries(data) : (data ?? {});
}

async function sign(config: AxiosRequestConfig, { oauthSignerUri, token }: SignConfig): Promise<void> {
  const requestData = transformConfigForOauth(config);
  const { data } = await client.post<unknown>(oauthSignerUri, { requestData, token });
  config.headers = { ...Object.fromEntries(headersOf(config.headers ?? {})), Authorization: String(data) };
}

function exportFrom(step: unknown, name: string, value: unknown): void {
  // A source's `this` has no `export`.
  if (isDict(step) && isFunction(step['export'])) step['export'](name, cloneSafe(value));
}

const shown = ({ status, statusText, headers, data }: AxiosResponse<unknown>) => ({
  status,
  statusText,
  headers,
  data,
});

/** Uses the response's body as message, which says more than "Request failed with status code 422". */
function explain(error: Error, data: unknown): void {
  const body = typeof data === 'string' ? data : jsonStringifySafe(isReadable(data) ? undefined : data);
  Object.defineProperty(error, 'name', {
    value: `${error.name} - ${error.message}`,
    configurable: true,
    writable: true,
    enumerable: true,
  });
  if (body !== undefined && body !== '') error.message = body;
}

const isReadable = (data: unknown): boolean => isDict(data) && isFunction(data['pipe']);
