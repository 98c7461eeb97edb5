import type { Dispatch } from './call.ts';
import { systemClock } from './clock.ts';
import { noFaults } from './faults.ts';
import { OPERATOR } from './iam/authorizer.ts';
import { MappingStates } from './event-source-mapping/mapping-states.ts';
import { mappingSpec } from './event-source-mapping/mapping-spec.ts';
import { credentialVariables, type Credentials, newCredentials } from './lambda/credentials.ts';
import type { FunctionHost } from './lambda/function-host.ts';
import { functionNameOf, type FunctionSpec } from './lambda/function-spec.ts';
import { openFunctions } from './lambda/functions.ts';
import { lambdaService } from './lambda/service.ts';
import type { LogSink } from './lambda/private-process.ts';
import type { Level } from './isolation/levels.ts';
import type { ServicePorts } from './isolation/spawner-messages.ts';
import type { EmitTrigger } from '../../shared/domain/run/message.ts';
import { messageText } from '../../shared/domain/run/message-text.ts';
import { publicCopies } from './lambda/public-copies.ts';
import { Spawner } from './isolation/spawner.ts';
import type { Programs } from './programs.ts';
import { openPresignedSocket } from './s3/presigned-socket.ts';
import { openServices, type Services, type ServicesOptions } from './services.ts';
import { region } from './template/resource-type.ts';

/** The output of `cdk synth`. Without a program, its work is done in the thread or the process of the services. */
export interface Assembly extends Partial<Programs> {
  readonly template: unknown;
  /** Folders of the code assets by object key. */
  readonly assets: ReadonlyMap<string, string>;
}

export interface OpenCloudOptions extends Omit<ServicesOptions, 'template'> {
  readonly assembly: Assembly;
  /** The isolation level of untrusted code. Default: the strongest one of this machine. */
  readonly isolation?: Level | undefined;
  /** Functions that run untrusted code take no invocation, as with a reserved concurrency of 0. */
  readonly isPaused?: boolean | undefined;
  /** Ports on which the service listens for HTTP. */
  readonly ports?: ServicePorts;
  /** Receives the log lines of functions that may log. */
  readonly logs?: LogSink;
}

/** A cloud that takes calls but does nothing by itself: no HTTP, no mappings, no schedules. */
export interface OpenCloud {
  readonly services: Services;
  readonly dispatch: Dispatch;
  readonly functions: ReadonlyMap<string, FunctionHost>;
  readonly mappings: MappingStates;
  /** The isolation level of untrusted code; undefined without a spawner. */
  readonly isolation: Level | undefined;
  /** Outputs of the stack, with the names that an operator needs. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Environment for the operator's SDK clients. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openCloud(options: OpenCloudOptions): Promise<OpenCloud> {
  const { assembly, ports: httpPorts, logs = () => undefined } = options;
  const spawner =
    assembly.spawner === undefined ? undefined : new Spawner(assembly.spawner, { asked: options.isolation });
  const services = await openServices({
    ...options,
    template: assembly.template,
    onDropped: ({ scheduleArn }, error) => {
      logs({
        functionName: scheduleArn,
        level: 'error',
        text: `The schedule could not call its target: ${error}`,
      });
    },
  });
  const { stack, authorizer, dispatch, clock, faults } = services;
  const { credentialsOf, signers } = credentialsIn(stack);
  const s3Socket = await openPresignedSocket({
    clock,
    region,
    dispatch,
    credentials: (id) => signers.get(id),
    mayUpload: () => services.room.isForNewData,
  });
  const { endpoint: s3Endpoint } = s3Socket;
  const ports = {
    ownPorts: [...(httpPorts?.ownPorts ?? []), Number(new URL(s3Endpoint).port)],
    openPorts: httpPorts?.openPorts ?? [],
  };
  spawner?.setPorts(ports);
  const isolation = await spawner?.level;
  const specs = options.isPaused === true ? services.functions.map(withoutUntrusted) : services.functions;
  const assets = await publicCopies(assembly.assets, specs, spawner);
  const { hosts: functions, close: closeFunctions } = openFunctions({
    specs,
    assets,
    clock,
    faults,
    dispatch,
    authorizer,
    credentialsOf,
    s3Endpoint,
    ports,
    logs,
    thread: threadOf(assembly, services),
    processes: spawner,
    watchItems: services.dynamodb.watch,
    sendEmit: emitSender(services),
  });
  const mappings = new MappingStates(
    services.disk,
    new Map(
      stack.ofType('AWS::Lambda::EventSourceMapping').map(({ ref, properties }) => [ref, mappingSpec(properties)]),
    ),
  );
  services.register(lambdaService({ hosts: functions, mappings }));
  return {
    services,
    dispatch,
    functions,
    mappings,
    isolation,
    outputs: Object.fromEntries(Object.entries(stack.outputs).map(([name, value]) => [name, String(value)])),
    operatorEnvironment: {
      AWS_REGION: region,
      ...credentialVariables(credentialsOf(OPERATOR)),
      AWS_ENDPOINT_URL_S3: s3Endpoint,
    },
    async close() {
      await closeFunctions();
      await spawner?.close();
      await s3Socket.close();
      await services.close();
    },
  };
}

/** New credentials of each role, and the role and secret of each key. */
function credentialsIn(stack: Services['stack']) {
  const roles = stack.ofType('AWS::IAM::Role').map(({ attributes }) => attributes['Arn'] ?? '');
  const credentials = new Map([...roles, OPERATOR].map((role) => [role, newCredentials(role)]));
  return {
    credentialsOf: (role: string): Credentials => credentials.get(role) ?? newCredentials(role),
    signers: new Map(
      [...credentials].map(([role, { accessKeyId, secretAccessKey }]) => [accessKeyId, { role, secretAccessKey }]),
    ),
  };
}

const emitSender =
  ({ stack, dispatch }: Services) =>
  (trigger: EmitTrigger) => {
    const QueueUrl = stack.outputs['RunsQueueUrl'];
    const ids = { MessageGroupId: trigger.emitterId, MessageDeduplicationId: trigger.id };
    const input = { QueueUrl, MessageBody: messageText(trigger), ...ids };
    return dispatch({ role: OPERATOR, service: 'SQS', operation: 'SendMessage', input });
  };

const withoutUntrusted = (spec: FunctionSpec): FunctionSpec =>
  spec.perTenant ? { ...spec, reservedConcurrency: 0 } : spec;

/**
 * The second thread may run the functions that consume a queue in batches and invoke no other function. It exists only
 * with the clock of the machine and without injected faults.
 */
function threadOf({ thread }: Assembly, { stack, functions, authorizer, clock, faults }: Services) {
  if (thread === undefined || clock !== systemClock || faults !== noFaults) return undefined;
  const queueConsumers = new Set(
    stack
      .ofType('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => functionNameOf(mappingSpec(properties).functionName)),
  );
  const inThread = functions.filter(
    ({ name, role, perTenant }) =>
      queueConsumers.has(name) && !perTenant && !authorizer.mayEver(role, 'lambda:InvokeFunction'),
  );
  return { program: thread, functionNames: new Set(inThread.map(({ name }) => name)) };
}
