import { ITEM_CHANGES, type WatchItems } from '../../../shared/lib/item-changes.ts';
import { READ_BUDGET, ReadBudget } from '../../../shared/lib/reading/read-budget.ts';
import { EMIT_QUEUE, type SendEmit } from '../../../shared/runtime/emit-queue.ts';
import { PROCESSES, type Processes } from '../../../shared/runtime/processes.ts';
import type { Dispatch } from '../call.ts';
import type { Authorizer } from '../iam/authorizer.ts';
import { type Clock } from '../clock.ts';
import type { ServicePorts } from '../isolation/spawner-messages.ts';
import { PLUGIN, sdkPlugin } from '../sdk-plugin.ts';
import { arn, functionArn } from '../template/resource-type.ts';
import { TemplateError } from '../template/template-error.ts';
import { type Faults, noFaults } from '../faults.ts';
import { faultyDispatch } from '../faulty-dispatch.ts';
import { dateOf } from './clock-date.ts';
import type { Globals } from './code.ts';
import type { Credentials } from './credentials.ts';
import { environmentOf } from './environment.ts';
import { FunctionHost } from './function-host.ts';
import type { FunctionSpec } from './function-spec.ts';
import { FunctionThread } from './function-thread.ts';
import { InstanceLife } from './instance-life.ts';
import { LOG_STREAM } from './invocation.ts';
import { type LogLine, type LogSink, privateConsole, privateProcess } from './private-process.ts';
import { SameThread } from './same-thread.ts';
import type { Resident } from './thread-messages.ts';

interface OpenFunctionsOptions {
  specs: readonly FunctionSpec[];
  /** Folders of the code assets by object key. */
  assets: ReadonlyMap<string, string>;
  clock: Clock;
  faults: Faults;
  dispatch: Dispatch;
  credentialsOf: (role: string) => Credentials;
  authorizer: Pick<Authorizer, 'allows' | 'mayAssume'>;
  /** Endpoint of presigned addresses. */
  s3Endpoint: string;
  /** Ports of the service on this machine. */
  ports: ServicePorts;
  logs: LogSink;
  /** Tells functions of this thread about changes of items. */
  watchItems?: WatchItems | undefined;
  /** Starts the processes of functions for untrusted code. Without it, they start their own. */
  processes?: Processes | undefined;
  sendEmit: SendEmit;
  /** Program of a second thread, and the names of the functions that run there while this thread is busy. */
  thread?: { readonly program: string; readonly functionNames: ReadonlySet<string> } | undefined;
}

export interface Functions {
  /** The hosts of all functions of the template by function name. */
  readonly hosts: ReadonlyMap<string, FunctionHost>;
  close(): Promise<void>;
}

type Log = (level: LogLine['level'], text: string) => void;

/** Makes the hosts of all functions. A host loads its code with the first invocation. */
export function openFunctions(options: OpenFunctionsOptions): Functions {
  const logs = new Map(options.specs.map((spec) => [spec.name, logOf(spec, options)]));
  const readBudget = new ReadBudget();
  const logNamed = (functionName: string): Log => logs.get(functionName) ?? (() => undefined);
  const { thread: second, dispatch } = options;
  const thread = second && new FunctionThread({ program: second.program, clock: options.clock, dispatch, logNamed });
  const hosts = new Map(
    options.specs.map((spec) => {
      const own = second?.functionNames.has(spec.name) ? thread : undefined;
      return [spec.name, hostOf(spec, { ...options, readBudget, thread: own, log: logNamed(spec.name) })];
    }),
  );
  return {
    hosts,
    async close() {
      for (const host of hosts.values()) host.dispose();
      await thread?.close();
    },
  };
}

interface HostOptions extends Omit<OpenFunctionsOptions, 'thread'> {
  /** The second thread, if the function may run there. */
  thread: FunctionThread | undefined;
  /** The functions of this thread share it. */
  readBudget: ReadBudget;
  log: Log;
}

function hostOf(spec: FunctionSpec, options: HostOptions): FunctionHost {
  const { log, faults, authorizer, thread, credentialsOf, s3Endpoint, ports } = options;
  const folder = options.assets.get(spec.assetKey);
  const location = `${spec.logicalId} (AWS::Lambda::Function)`;
  if (!folder) throw new TemplateError(`${location} has the code ${spec.assetKey}, which is not an asset.`);
  if (!authorizer.mayAssume(spec.role, 'lambda.amazonaws.com', functionArn(spec.name))) {
    throw new TemplateError(`${location} has the role ${spec.role}, which Lambda may not assume.`);
  }
  const environment = environmentOf(spec, {
    folder,
    credentials: credentialsOf(spec.role),
    s3Endpoint,
    ports,
  });
  const resident = { spec, folder, environment };
  const own = new SameThread({ spec, folder, open: () => openInstance(resident, options) });
  return new FunctionHost({
    spec,
    faults,
    runtime: thread?.runtimeOf(resident, own) ?? own,
    // An instance opens its log stream before it runs code.
    onStart: () => {
      log('debug', '');
    },
    onFailure: ({ error }) => {
      log('error', [`${error.errorType}: ${error.errorMessage}`, ...(error.trace ?? [])].join('\n'));
    },
  });
}

/**
 * Lambda writes the log lines of a function with the role of the function. Without the permissions the lines are lost.
 */
function logOf({ name, logGroup, role }: FunctionSpec, { authorizer, logs }: OpenFunctionsOptions): Log {
  const resource = arn('logs', `log-group:${logGroup}:log-stream:${LOG_STREAM}`);
  const mayLog = () =>
    ['logs:CreateLogStream', 'logs:PutLogEvents'].every((action) => authorizer.allows(role, { action, resource }));
  let allowed: boolean | undefined;
  return (level, text) => {
    allowed ??= mayLog();
    if (allowed && text !== '') logs({ functionName: name, level, text });
  };
}

/** An instance whose calls may have faults also has a life, which a fault may end. */
function openInstance(resident: Resident, options: HostOptions) {
  const { faults } = options;
  if (faults === noFaults) return { globals: globalsOf(resident, options) };
  const life = new InstanceLife();
  const dispatch = faultyDispatch({
    dispatch: options.dispatch,
    faults,
    caller: resident.spec.name,
    life,
  });
  return { globals: globalsOf(resident, { ...options, dispatch }), life };
}

function globalsOf(
  { spec: { role, perTenant }, environment }: Resident,
  { dispatch, clock, log, processes, watchItems, sendEmit, readBudget }: HostOptions,
): Globals {
  const plugin = sdkPlugin({ dispatch, role });
  return {
    process: privateProcess({
      environment,
      extras: {
        [PLUGIN]: plugin,
        ...(perTenant && processes ? { [PROCESSES]: processes } : {}),
        ...(!perTenant && watchItems ? { [ITEM_CHANGES]: watchItems } : {}),
        ...(perTenant ? { [EMIT_QUEUE]: sendEmit } : { [READ_BUDGET]: readBudget }),
      },
      log,
    }),
    console: privateConsole(log),
    Date: dateOf(clock),
  };
}
