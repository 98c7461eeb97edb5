import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { ARCHITECTURE } from '../../../../infra/architecture.ts';
import { bundleKey } from '../../../../shared/aws/object-keys.ts';
import { createRunner } from '../../../../shared/aws/runner.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';
import { type Check, hold, Refuted, Unused } from './claim.ts';
import { readProbe } from './mirror-request.ts';

/** Clocks of one machine agree within this. */
const SAME_MACHINE_MS = 20;
/** Time between the two lines of a run. Half of it must be seen between their arrivals. */
const WAIT_MS = 2_000;
/** Validity of the bundle's address. */
const ADDRESS_SECONDS = 900;

const build: Check = {
  name: 'build',
  claim: 'The builder installs npm packages, and its compiler runs on the architecture of the function.',
  async ask(subject) {
    const days = await readProbe(subject, 'packages', { schema: z.literal(172_800_000) });
    return `the package ms answered ${days}`;
  },
};

const processor: Check = {
  name: 'processor',
  claim: 'Lambda isolates tenants on arm64: a component runs on that processor.',
  async ask(subject) {
    const found = await readProbe(subject, 'processor', { schema: z.string() });
    hold(found === ARCHITECTURE, `A component runs on ${found}`);
    return found;
  },
};

const tenants: Check = {
  name: 'tenants',
  claim: 'Two users never share an execution environment of the runner.',
  async ask(subject) {
    const schema = z.number();
    const first = await readProbe(subject, 'machine', { schema });
    const again = await readProbe(subject, 'machine', { schema });
    const other = await readProbe(subject, 'machine', { n: 1, schema });
    const apart = Math.min(...[first, again].map((each) => Math.abs(each - other)));
    hold(apart > SAME_MACHINE_MS, `The machines of two users started within ${Math.round(apart)} ms`);
    const isSame = Math.abs(first - again) <= SAME_MACHINE_MS;
    return `machines of two users started ${(apart / 1_000).toFixed(1)} s apart; a second run of one user had ${isSame ? 'the same machine' : 'another one'}`;
  },
};

const tenantRequired: Check = {
  name: 'tenant-required',
  claim: 'Lambda refuses an invocation of the runner or the builder that names no tenant.',
  async ask({ operator: { lambda, names } }) {
    for (const FunctionName of [names.runnerFunction, names.builderFunction]) {
      const error = await lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' })).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!(error instanceof Error)) throw new Refuted('It accepted one');
      if (error.name !== 'InvalidParameterValueException') throw error;
    }
    return 'InvalidParameterValueException';
  },
};

const streaming: Check = {
  name: 'streaming',
  claim: 'The runner streams: a line arrives while the run goes on.',
  async ask(subject) {
    const { user, id, componentId } = await subject.mirror(0);
    const { lambda, names, components, bucket } = subject.operator;
    const component = await components.find(componentId);
    if (!component) throw new Error('The component of the doctor is gone');
    const arrivals: number[] = [];
    await createRunner(() => lambda, { functionName: names.runnerFunction, tenantOf: () => user.id }).run(
      {
        ownerId: user.id,
        processKey: `${id}-streaming`,
        sourceId: id,
        bundle: {
          hash: component.bundleHash,
          url: await bucket.presignGet(bundleKey(component.ownerId, component.bundleHash), ADDRESS_SECONDS),
        },
        props: {},
        db: '{}',
        limits: defaultLimits,
        jobs: [{ kind: 'run', id: 'streaming', event: JSON.stringify({ wait: WAIT_MS }) }],
      },
      ({ k }) => {
        if (k === 'emit') arrivals.push(performance.now());
      },
    );
    const [first, last] = arrivals;
    if (first === undefined || last === undefined) throw new Error('The run wrote no lines');
    const apart = Math.round(last - first);
    hold(apart > WAIT_MS / 2, `Two lines ${WAIT_MS} ms apart arrived ${apart} ms apart`);
    return `two lines ${WAIT_MS} ms apart arrived ${apart} ms apart`;
  },
};

const runtimeApi: Check = {
  name: 'runtime-api',
  claim: 'A component reaches neither the runtime API of its function nor the variables with its credentials.',
  async ask(subject) {
    const schema = z.object({ reached: z.array(z.string()), variables: z.array(z.string()) });
    const { reached, variables } = await readProbe(subject, 'runtime-api', { schema });
    hold(reached.length === 0, `It reached ${reached.join(', ')}`);
    hold(variables.length === 0, `It saw ${variables.join(', ')}`);
    return 'refused';
  },
};

const addresses: Check = {
  name: 'addresses',
  claim: 'Requests to other services come from the addresses of the stack.',
  async ask(subject) {
    const { deliveryAddresses: own } = subject;
    if (own.length === 0) throw new Unused('The stage has no network');
    const seen = await readProbe(subject, 'address', { schema: z.ipv4() });
    hold(own.includes(seen), `A request came from ${seen}, not from ${own.join(', ')}`);
    return own.join(', ');
  },
};

export const runnerChecks = [build, processor, tenants, tenantRequired, streaming, runtimeApi, addresses];
