import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configureProps, missingDetails, missingProps } from '../../shared/domain/component/configured-props.ts';
import type { ComponentDescription } from '../../shared/domain/component/component.ts';
import { endpointProp, traitsOf } from '../../shared/domain/component/traits.ts';
import type { SourceTraits } from '../../shared/domain/component/source-traits.ts';
import { dedupe, NOTHING_REMEMBERED } from '../../shared/domain/event/dedupe.ts';
import { UserId } from '../../shared/domain/id.ts';
import { defaultLimits } from '../../shared/domain/run-limits.ts';
import { readLine } from '../../shared/domain/run/runner-line.ts';
import type { Job, RunError, RunnerLine, RunnerRequest } from '../../shared/domain/run/run.ts';
import type { Processes } from '../../shared/runtime/processes.ts';
import { requestedEvent } from '../../shared/service/sources/requested-event.ts';
import { LONGEST_LOAD_MS } from '../../shared/domain/time-limits.ts';
import { readComponentFiles } from '../tributary/input/local-component.ts';
import type { ComponentEmit, ComponentRun, RunComponentOptions } from './component-run.ts';
import { componentPrograms } from './component-programs.ts';
import { LineOutput } from './line-output.ts';

const OWNER = UserId.parse('u_test');
const INGRESS_URL = 'http://127.0.0.1';
const ENDPOINT_ID = 'endpoint';
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a component once: it is built and run as in the service, in a process of its own. Rejects when it does not build
 * or load.
 */
export async function runComponentWith(
  programsFolder: string,
  file: string | URL,
  options: RunComponentOptions = {},
  processes?: Processes,
): Promise<ComponentRun> {
  const path = file instanceof URL ? fileURLToPath(file) : resolve(file);
  const programs = componentPrograms(programsFolder, processes);
  // The pipes of the processes do not keep this one running.
  const running = setInterval(() => undefined, LONGEST_TIMER_MS);
  try {
    const { bundle, manifest } = await programs.build(await readComponentFiles(path, path));
    const url = `data:text/javascript;base64,${bundle.toString('base64')}`;
    const request: RunnerRequest = {
      ownerId: OWNER,
      processKey: 'dc_test',
      sourceId: 'dc_test',
      bundle: { hash: manifest.bundleHash, url },
      props: {},
      db: '{}',
      limits: { ...defaultLimits, timeoutMs: LONGEST_LOAD_MS },
      readsUnquotedJson: true,
      jobs: [],
    };
    const send = async (changes: Partial<RunnerRequest>): Promise<RunnerLine[]> => {
      const output = new LineOutput();
      await programs.host.run({ ...request, ...changes }, output);
      return output.lines.flatMap((line) => readLine(line) ?? []);
    };
    const description = descriptionIn(await send({ jobs: [{ kind: 'describe', id: 'describe' }] }));
    const props = propsFor(description, options.props ?? {});
    const traits = traitsOf(description, props);
    const lines = await send({
      props: withEndpoint(props, traits),
      db: JSON.stringify(options.db ?? {}),
      limits: { ...defaultLimits, timeoutMs: options.timeoutMs ?? defaultLimits.timeoutMs },
      jobs: [jobOf(options, traits)],
    });
    return resultOf(lines, traits, options);
  } finally {
    await programs.close();
    clearInterval(running);
  }
}

function descriptionIn(lines: readonly RunnerLine[]): ComponentDescription {
  for (const line of lines) {
    if (line.k === 'described') return line.description;
    if (line.k === 'end' && line.error)
      throw new Error(`The component does not load: ${line.error.stack || line.error.message}`);
    if (line.k === 'unready') throw new Error(line.message);
  }
  throw new Error('The component does not load.');
}

function propsFor(
  description: ComponentDescription,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const apps = description.props.filter(({ type }) => type === 'app').map(({ name }) => name);
  const isApp = ([name]: [string, unknown]) => apps.includes(name);
  const entries = Object.entries(values);
  const read = configureProps(description, Object.fromEntries(entries.filter((entry) => !isApp(entry))));
  const missing = missingDetails(missingProps(description, values));
  const details = read.ok ? missing : [...read.details, ...missing];
  if (!read.ok || details.length > 0)
    throw new Error(
      details.map(({ path, message }) => `${path.replace('configured_props', 'props')} ${message}`).join('; '),
    );
  return { ...read.props, ...Object.fromEntries(entries.filter(isApp)) };
}

function withEndpoint(props: Record<string, unknown>, traits: SourceTraits): Record<string, unknown> {
  const name = endpointProp(traits);
  return name === undefined
    ? props
    : { ...props, [name]: { ...Object(props[name]), endpoint: `${INGRESS_URL}/${ENDPOINT_ID}` } };
}

function jobOf({ event, hook }: RunComponentOptions, traits: SourceTraits): Job {
  const id = randomUUID();
  if (hook !== undefined) return { kind: 'hook', id, hook };
  const { json, body } = requestedEvent(
    { traits, endpointId: ENDPOINT_ID },
    {
      text: event === undefined ? undefined : JSON.stringify(event),
      ingressUrl: INGRESS_URL,
      form: 'path',
      clientIp: '127.0.0.1',
      now: Date.now(),
    },
  );
  return { kind: 'run', id, event: json, ...(body === undefined ? {} : { body }) };
}

function resultOf(
  lines: readonly RunnerLine[],
  { dedupe: strategy }: SourceTraits,
  { db = {} }: RunComponentOptions,
): ComponentRun {
  const emits: ComponentEmit[] = [];
  const errors: RunError[] = [];
  const run: ComponentRun = { emits, logs: [], db: { ...db }, errors: [] };
  for (const line of lines) {
    if (line.k === 'emit') {
      const { id, name, summary, ts } = line.meta;
      const event: unknown = JSON.parse(line.json);
      emits.push(withoutUndefined({ event, id, name, summary, ts }));
    }
    if (line.k === 'log' && !line.err)
      run.logs.push({ level: line.level.replace(/^console\./, ''), message: line.msg });
    if (line.k === 'error') errors.push(line.error);
    if (line.k === 'db') run.db = JSON.parse(line.json);
    if (line.k === 'respond') {
      const { status, headers, body, base64 } = line;
      run.response ??= { status, headers, body: base64 ? Buffer.from(body, 'base64') : body };
    }
    if (line.k === 'end' && line.error) errors.push(line.error);
    if (line.k === 'unready') throw new Error(line.message);
  }
  run.emits = dedupe(strategy, NOTHING_REMEMBERED, emits).emitted;
  run.errors = errors.map(({ code, message, stack }) => ({ code, message, stack }));
  return run;
}

/** Test runners compare members with the value `undefined`, too. */
const withoutUndefined = ({ event, ...meta }: ComponentEmit): ComponentEmit => ({
  event,
  ...Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined)),
});
