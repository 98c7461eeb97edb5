import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DEADLINE_MS } from '../../support/until.ts';
import { PIPEDREAM } from '../../support/pipedream.ts';
import { MEMBERS, type Seen } from './plain-node.ts';

export interface Service {
  /** Ends in `/v1`. */
  readonly base: string;
  readonly key: string;
}

/** The result of trying one component. */
export interface Row {
  readonly seen: Seen;
  readonly created: boolean;
  readonly described: boolean;
  /** `none`: it has none. */
  readonly hooks: 'ran' | 'failed' | 'none' | 'not tried';
  /** The reason of each failed part. */
  readonly reason: string;
}

interface HttpResponse {
  status: number;
  body: { data?: Record<string, unknown>; error?: string };
}

/** A component with packages in no cache may take longer than one request. */
async function call(...request: Parameters<typeof callOnce>): Promise<HttpResponse> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const response = await callOnce(...request);
    if (response.status !== 503 || Date.now() > deadline) return response;
  }
}

async function callOnce(
  { base, key }: Service,
  method: string,
  path: string,
  body?: Record<string, unknown>,
): Promise<HttpResponse> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as HttpResponse['body'] };
}

/** Deploys a component by its address, through the public interface alone, and takes it down again. */
export async function tryComponent(service: Service, origin: string, seen: Seen): Promise<Row> {
  const made = await call(service, 'POST', '/components', { component_url: `${origin}/${seen.path}` });
  if (made.status !== 200 || !made.body.data)
    return {
      seen,
      created: false,
      described: false,
      hooks: 'not tried',
      reason: `${made.body.error ?? made.status}${quoted(seen.path, made.body.error ?? '')}`,
    };
  const { configurable_props: described, id, name, version } = made.body.data;
  const difference = differs(seen, { props: described as Record<string, unknown>[], name, version });
  const common = { seen, created: true, described: difference === undefined };
  const source = await call(service, 'POST', '/sources', {
    component_id: id,
    configured_props: Object.fromEntries(seen.props.flatMap(dummy)),
  });
  const hooks = seen.hooks.length === 0 ? 'none' : source.status === 200 ? 'ran' : 'failed';
  if (source.status === 200) await call(service, 'DELETE', `/sources/${String(source.body.data?.['id'])}`);
  const failure = source.status === 200 ? '' : `${source.body.error ?? source.status}${hookLine(seen.path)}`;
  return { ...common, hooks, reason: [difference, failure].filter((part) => part).join('; ') };
}

function differs(
  seen: Seen,
  described: { props: Record<string, unknown>[]; name: unknown; version: unknown },
): string | undefined {
  if (described.name !== seen.name || described.version !== seen.version) return 'name or version differ';
  const props = described.props.map((prop) =>
    Object.fromEntries(MEMBERS.filter((member) => member in prop).map((member) => [member, prop[member]])),
  );
  if (isDeepStrictEqual(props, seen.props)) return undefined;
  const at = seen.props.findIndex((prop, index) => !isDeepStrictEqual(prop, props[index]));
  return `the prop ${JSON.stringify(seen.props[at])} is described as ${JSON.stringify(props[at])}`;
}

/** A value of the right type for each required prop. */
function dummy(prop: Record<string, unknown>): [string, unknown][] {
  const { name, type, optional, default: preset, options, min } = prop;
  if (optional === true || preset !== undefined) return [];
  const [option] = Array.isArray(options) ? (options as unknown[]) : [];
  const chosen = typeof option === 'object' && option !== null ? (option as { value: unknown }).value : option;
  const values: Record<string, unknown> = {
    string: chosen ?? 'dummy',
    integer: chosen ?? (typeof min === 'number' ? min : 1),
    boolean: true,
    object: {},
    'string[]': [chosen ?? 'dummy'],
    'integer[]': [chosen ?? 1],
    '$.interface.timer': { interval_seconds: 900 },
  };
  const value =
    values[String(type)] ?? (/^(?:app|alert|\$\.(?:interface|service).*)$/.test(String(type)) ? undefined : 'dummy');
  return value === undefined
    ? []
    : [[String(name), String(type).endsWith('[]') && !Array.isArray(value) ? [value] : value]];
}

/** The line of the component at which its `deploy` or `activate` first waits for its upstream. */
function hookLine(path: string): string {
  for (const file of [path, ...requiredBy(path)]) {
    const lines = readFileSync(join(PIPEDREAM, file), 'utf8').split('\n');
    const hook = lines.findIndex((line) => /\b(?:activate|deploy)\b\s*(?:\(|:)/.test(line));
    if (hook < 0) continue;
    const after = (pattern: RegExp) => lines.findIndex((line, index) => index > hook && pattern.test(line));
    const waits = after(/\bawait\b/);
    const at = waits < 0 ? after(/\bthis\./) : waits;
    return quote(file, lines, at < 0 ? hook : at);
  }
  return '';
}

/** Files of the package that a component requires, directly or indirectly. */
function requiredBy(path: string, depth = 3): string[] {
  if (depth === 0) return [];
  const text = readFileSync(join(PIPEDREAM, path), 'utf8');
  return [...text.matchAll(/require\(["'](\.[^"']+)["']\)/g)].flatMap(([, to = '']) => {
    const file = [to, `${to}.js`, `${to}/index.js`]
      .map((name) => join(dirname(path), name))
      .find((name) => name.endsWith('.js') && existsSync(join(PIPEDREAM, name)));
    return file === undefined ? [] : [file, ...requiredBy(file, depth - 1)];
  });
}

/** The line that a failed build names, where it names one. */
function quoted(path: string, message: string): string {
  const [, file = path, line] = /([\w./-]+\.js):(\d+)/.exec(message) ?? [];
  const normal = file.slice(Math.max(0, file.indexOf('components/')));
  if (line === undefined || !existsSync(join(PIPEDREAM, normal))) return '';
  return quote(normal, readFileSync(join(PIPEDREAM, normal), 'utf8').split('\n'), Number(line) - 1);
}

const quote = (file: string, lines: readonly string[], at: number) =>
  ` — ${file.replace(/^components\//, '')}:${at + 1} \`${(lines[at] ?? '').trim()}\``;
