import type { Dispatch } from './call.ts';
import { systemClock } from './clock.ts';
import { OPERATOR } from './iam/authorizer.ts';
import { AsyncInvocations } from './lambda/async-invocations.ts';
import { mappingSpec } from './event-source-mapping/mapping-spec.ts';
import type { FunctionHost } from './lambda/function-host.ts';
import { functionNameOf } from './lambda/function-spec.ts';
import { credentialsIn, type Credentials, newCredentials, openFunctions } from './lambda/functions.ts';
import { LambdaService } from './lambda/lambda-service.ts';
import type { LogSink } from './lambda/private-process.ts';
import { listen } from './s3/listen.ts';
import { openServices, type Services, type ServicesOptions } from './services.ts';
import { region } from './template/resource-type.ts';

/** What `cdk synth` makes. */
export interface Assembly {
  readonly template: unknown;
  /** Folder of each code asset, by its object key. */
  readonly assets: ReadonlyMap<string, string>;
  /** Program of a thread for functions, `lambda/thread-entry.ts` bundled; without it all run in the thread of the services. */
  readonly thread?: string;
}

export interface OpenCloudOptions extends Omit<ServicesOptions, 'template'> {
  readonly assembly: Assembly;
  /** Every line that a function writes and is allowed to log. */
  readonly logs?: LogSink;
}

/** A cloud in which calls can be made, but nothing happens by itself: no HTTP, no mappings, no schedules. */
export interface OpenCloud {
  readonly services: Services;
  readonly dispatch: Dispatch;
  readonly functions: ReadonlyMap<string, FunctionHost>;
  readonly asynchronous: AsyncInvocations;
  /** Outputs of the stack: the names that an operator needs. */
  readonly outputs: Readonly<Record<string, string>>;
  /** What an operator's own SDK clients find in their environment. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openCloud(options: OpenCloudOptions): Promise<OpenCloud> {
  const { assembly, logs = () => undefined } = options;
  const services = await openServices({
    ...options,
    template: assembly.template,
    onDropped: ({ scheduleArn }, error) => {
      logs({
        functionName: scheduleArn,
        level: 'error',
        text: `A schedule could not be carried out: ${error}`,
      });
    },
  });
  const { stack, authorizer, dispatch, clock, weather, disk } = services;
  const roles = [
    ...stack.ofType('AWS::IAM::Role').map(({ attributes }) => attributes['Arn'] ?? ''),
    OPERATOR,
  ];
  const credentials = new Map(roles.map((role) => [role, newCredentials(role)]));
  const credentialsOf = (role: string): Credentials => credentials.get(role) ?? newCredentials(role);
  const signers = new Map(
    [...credentials].map(([role, { accessKeyId, secretAccessKey }]) => [
      accessKeyId,
      { role, secretAccessKey },
    ]),
  );
  const s3Socket = await listen({ clock, region, dispatch, credentials: (id) => signers.get(id) });
  const { endpoint: s3Endpoint } = s3Socket;
  const { assets } = assembly;
  const specs = services.functions;
  const { hosts: functions, close: closeFunctions } = openFunctions({
    specs,
    assets,
    clock,
    weather,
    dispatch,
    authorizer,
    credentialsOf,
    s3Endpoint,
    logs,
    thread: threadOf(assembly, services),
  });
  const asynchronous = new AsyncInvocations({ disk, clock, hostOf: (name) => functions.get(name) });
  services.register(new LambdaService(functions, asynchronous));
  return {
    services,
    dispatch,
    functions,
    asynchronous,
    outputs: Object.fromEntries(Object.entries(stack.outputs).map(([name, value]) => [name, String(value)])),
    operatorEnvironment: {
      AWS_REGION: region,
      ...credentialsIn(credentialsOf(OPERATOR)),
      AWS_ENDPOINT_URL_S3: s3Endpoint,
    },
    async close() {
      await closeFunctions();
      await s3Socket.close();
      await services.close();
    },
  };
}

/** Queues hand its functions their work in batches, and they start no other function. It follows no clock but the machine's. */
function threadOf({ thread }: Assembly, { stack, functions, authorizer, clock }: Services) {
  if (thread === undefined || clock !== systemClock) return undefined;
  const fed = new Set(
    stack
      .ofType('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => functionNameOf(mappingSpec(properties).functionName)),
  );
  const suited = functions.filter(
    ({ name, role, perTenant }) =>
      fed.has(name) && !perTenant && !authorizer.mayEver(role, 'lambda:InvokeFunction'),
  );
  return { program: thread, functionNames: new Set(suited.map(({ name }) => name)) };
}
