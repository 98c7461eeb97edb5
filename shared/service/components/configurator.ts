import { bundleKey } from '../../aws/object-keys.ts';
import type { Bucket } from '../../aws/bucket.ts';
import type { Runner } from '../../aws/runner.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import { asksForProps, type Component, type ComponentDescription } from '../../domain/component/component.ts';
import { additionalAmong, type PropDefinition, withAdditional } from '../../domain/component/prop-definition.ts';
import { accountIdsAmong } from '../../domain/account/account.ts';
import { LARGEST_PROPS_BYTES } from '../../domain/component/configured-props.ts';
import { ServiceError } from '../../domain/errors.ts';
import { shortHash } from '../../domain/event/emit-id.ts';
import type { AccountId, UserId } from '../../domain/id.ts';
import type { Job, RunError, RunnerLine } from '../../domain/run/run.ts';
import { defaultLimits } from '../../domain/run-limits.ts';
import { traitsOf } from '../../domain/component/traits.ts';

/** A component and the current values of its props. The bundle must be stored under the user's own prefix. */
export interface ConfigureInput {
  component: Component;
  userId: UserId;
  /** Values as validated; app props contain an account id. */
  props: Record<string, unknown>;
  /** Time by which the caller must answer, epoch ms. */
  deadline: number;
}

export interface OptionsInput {
  prop: string;
  page: number;
  prevContext: unknown;
  query: string | undefined;
}

export type Configurator = ReturnType<typeof createConfigurator>;

interface ConfiguratorOptions {
  runner: Pick<Runner, 'run'>;
  bucket: Pick<Bucket, 'presignGet'>;
  accounts: Pick<AccountReader, 'fillProps'>;
  now(): number;
}

const PRESIGNED_SECONDS = 300;
/** Part of the caller's time reserved for everything but the component's own function. */
const OWN_MS = 2_000;
const RENEWAL_WAIT_MS = 10_000;
/** Time limit of `additionalProps`; the rest of the caller's time is for the hooks. */
const LONGEST_PROPS_MS = 10_000;

/** Reads a component's dynamic props and the options of a prop. Runs the component's code in the runner. */
export function createConfigurator({ runner, bucket, accounts, now }: ConfiguratorOptions) {
  async function runJob(
    { component, userId, props, deadline }: ConfigureInput,
    job: Job,
    longestMs = Infinity,
  ): Promise<RunnerLine[]> {
    const { bundleHash, description } = component;
    const { appProps } = traitsOf(description, props);
    const limitMs = () => Math.min(longestMs, deadline - now() - OWN_MS);
    const [url, connected] = await Promise.all([
      bucket.presignGet(bundleKey(userId, bundleHash), PRESIGNED_SECONDS),
      accounts.fillProps(userId, props, appProps, { callMs: limitMs(), waitMs: RENEWAL_WAIT_MS }),
    ]);
    // A renewal takes from the time of the job.
    const timeoutMs = limitMs();
    if (timeoutMs <= 0) throw outOfTime();
    const lines: RunnerLine[] = [];
    await runner.run(
      {
        ownerId: userId,
        processKey: processKeyOf(bundleHash, accountIdsAmong(props, appProps)),
        sourceId: '',
        bundle: { hash: bundleHash, url },
        props: connected.props,
        db: '{}',
        limits: { ...defaultLimits, timeoutMs },
        jobs: [job],
      },
      (line) => lines.push(line),
      AbortSignal.timeout(timeoutMs + OWN_MS / 2),
    );
    const failed = lines.find((line) => line.k === 'end' && line.error !== undefined);
    if (failed?.k === 'end' && failed.error) throw configureFailed(failed.error);
    return lines;
  }

  async function additionalProps(input: ConfigureInput): Promise<PropDefinition[]> {
    const lines = await runJob(input, { kind: 'props', id: 'props' }, LONGEST_PROPS_MS);
    const made = lines.find((line) => line.k === 'props');
    if (made?.k !== 'props') throw unanswered();
    const additional = additionalAmong(input.component.description.props, made.props);
    if (Buffer.byteLength(JSON.stringify(additional)) <= LARGEST_PROPS_BYTES) return additional;
    throw new ServiceError(
      'configure_failed',
      '`additionalProps` returned more than 64 KB of props; return fewer or smaller props.',
    );
  }

  return {
    /** The props that the component's `additionalProps` adds to the declared ones or changes. */
    additionalProps,

    /** The declared props, with those of `additionalProps` for these values. */
    async allProps(input: ConfigureInput): Promise<PropDefinition[]> {
      const { description } = input.component;
      if (!asksForProps(description)) return description.props;
      return withAdditional(description.props, await additionalProps(input));
    },

    async options(input: ConfigureInput, question: OptionsInput): Promise<{ options: unknown[]; context?: unknown }> {
      const declared = declaredOptions(input.component.description, question.prop);
      if (declared) return { options: declared };
      const job: Job = {
        kind: 'options',
        id: 'options',
        prop: question.prop,
        page: question.page,
        prevContext: question.prevContext,
        ...(question.query === undefined ? {} : { query: question.query }),
      };
      const lines = await runJob(input, job);
      const response = lines.find((line) => line.k === 'options');
      if (response?.k !== 'options') throw unanswered();
      const { options, context } = response;
      return context == null ? { options } : { options, context };
    },
  };
}

/** Different accounts never share a process, nor an execution environment. */
const processKeyOf = (bundleHash: string, accounts: readonly AccountId[]): string =>
  ['configure', bundleHash, ...(accounts.length > 0 ? [shortHash(accounts.join(' '))] : [])].join('-');

/** The options that the code declares; undefined when only the component's function knows them. */
function declaredOptions({ props, hasAdditionalProps }: ComponentDescription, name: string): unknown[] | undefined {
  const declared = props.find((prop) => prop.name === name);
  const options = declared?.['options'];
  if (Array.isArray(options)) return options;
  if (declared?.['remoteOptions'] === true || (!declared && hasAdditionalProps)) return undefined;
  throw noOptions(declared ? `The prop ${name} has no options.` : `The component has no prop ${name}.`);
}

const noOptions = (message: string) =>
  new ServiceError('invalid_request', `prop_name: ${message}`, {
    details: [{ path: 'prop_name', message }],
  });

function configureFailed({ code, message, name }: RunError): ServiceError {
  if (code === 'no_options') return noOptions(message);
  const why = code === 'timeout' ? 'it took too long' : message || name;
  return new ServiceError('configure_failed', `The component cannot be configured with these props: ${why}`);
}

const unanswered = () => new ServiceError('unavailable', 'The component gave no response; try again.');

/** A build, or the renewal of an account, took the time; both are done when the request is repeated. */
const outOfTime = () =>
  new ServiceError('unavailable', 'No time was left to run the component; try again.', {
    retryAfterSeconds: 1,
  });
