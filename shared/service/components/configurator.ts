import { bundleKey } from '../../aws/object-keys.ts';
import type { Bucket } from '../../aws/bucket.ts';
import type { Runner } from '../../aws/runner.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import type { Component, ComponentDescription } from '../../domain/component.ts';
import { LARGEST_PROPS_BYTES } from '../../domain/configured-props.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import { additionalAmong, type PropDefinition } from '../../domain/prop-definition.ts';
import { defaultLimits, type Job, type RunError, type RunnerLine } from '../../domain/run.ts';
import { traitsOf } from '../../domain/traits.ts';

/** A component and the values that its props have while it is being configured; the bundle is among the user's own. */
export interface Configuring {
  component: Component;
  userId: UserId;
  /** As read: app props name their accounts. */
  props: Record<string, unknown>;
  /** The answer is due then, epoch ms. */
  deadline: number;
}

export interface OptionsQuestion {
  prop: string;
  page: number;
  prevContext: unknown;
  query: string | undefined;
}

export type Configurator = ReturnType<typeof createConfigurator>;

interface ConfiguratorOptions {
  runner: Pick<Runner, 'run'>;
  bucket: Pick<Bucket, 'presignGet'>;
  accounts: AccountReader;
  now(): number;
}

const PRESIGNED_SECONDS = 300;
/** Of the answer's time, for what comes before and after the component's own function. */
const OWN_MS = 2_000;
/** `additionalProps` leaves time for the hooks. */
const LONGEST_PROPS_MS = 10_000;

/** Asks components, where user code belongs, what forms ask: which props there are, and what can be chosen for one. */
export function createConfigurator({ runner, bucket, accounts, now }: ConfiguratorOptions) {
  async function ask(
    { component, userId, props }: Configuring,
    job: Job,
    timeoutMs: number,
  ): Promise<RunnerLine[]> {
    const { bundleHash, description } = component;
    const [url, connected] = await Promise.all([
      bucket.presignGet(bundleKey(userId, bundleHash), PRESIGNED_SECONDS),
      accounts.connect(userId, props, traitsOf(description, props).appProps),
    ]);
    const lines: RunnerLine[] = [];
    await runner.run(
      {
        ownerId: userId,
        processKey: `configure-${bundleHash}`,
        sourceId: '',
        bundle: { hash: bundleHash, url },
        props: connected,
        db: '{}',
        limits: { ...defaultLimits, timeoutMs },
        jobs: [job],
      },
      (line) => lines.push(line),
      AbortSignal.timeout(Math.max(timeoutMs, 0) + OWN_MS / 2),
    );
    const failed = lines.find((line) => line.k === 'end' && line.error !== undefined);
    if (failed?.k === 'end' && failed.error) throw configureFailed(failed.error);
    return lines;
  }

  return {
    /** What the component's `additionalProps` adds to what its code declares, or changes of it. */
    async additionalProps(asking: Configuring): Promise<PropDefinition[]> {
      const left = asking.deadline - now() - OWN_MS;
      const lines = await ask(asking, { kind: 'props', id: 'props' }, Math.min(left, LONGEST_PROPS_MS));
      const made = lines.find((line) => line.k === 'props');
      if (made?.k !== 'props') throw unanswered();
      const additional = additionalAmong(asking.component.description.props, made.props);
      if (Buffer.byteLength(JSON.stringify(additional)) <= LARGEST_PROPS_BYTES) return additional;
      throw new ServiceError(
        'invalid',
        'configure_failed',
        '`additionalProps` made more than 64 KB of props.',
      );
    },

    async options(
      asking: Configuring,
      question: OptionsQuestion,
    ): Promise<{ options: unknown[]; context: unknown }> {
      const declared = knownOptions(asking.component.description, question.prop);
      if (declared) return { options: declared, context: null };
      const job: Job = {
        kind: 'options',
        id: 'options',
        prop: question.prop,
        page: question.page,
        prevContext: question.prevContext,
        ...(question.query === undefined ? {} : { query: question.query }),
      };
      const lines = await ask(asking, job, asking.deadline - now() - OWN_MS);
      const answer = lines.find((line) => line.k === 'options');
      if (answer?.k !== 'options') throw unanswered();
      return { options: answer.options, context: answer.context ?? null };
    },
  };
}

/** What the code declares needs no asking; undefined for what only the component knows. */
function knownOptions(
  { props, hasAdditionalProps }: ComponentDescription,
  name: string,
): unknown[] | undefined {
  const declared = props.find((prop) => prop.name === name);
  const options = declared?.['options'];
  if (Array.isArray(options)) return options;
  if (declared?.['remoteOptions'] === true || (!declared && hasAdditionalProps)) return undefined;
  throw noOptions(declared ? `The prop ${name} has no options.` : `The component has no prop ${name}.`);
}

const noOptions = (message: string) =>
  new ServiceError('invalid', 'invalid_request', `prop_name: ${message}`, {
    details: [{ path: 'prop_name', message }],
  });

function configureFailed({ code, message, name }: RunError): ServiceError {
  if (code === 'no_options') return noOptions(message);
  const why = code === 'timeout' ? 'it took too long' : message || name;
  return new ServiceError('invalid', 'configure_failed', `The component cannot be configured so: ${why}`);
}

const unanswered = () =>
  new ServiceError('unavailable', 'unavailable', 'The component gave no answer; try again.');
