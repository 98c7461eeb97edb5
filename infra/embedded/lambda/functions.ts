import { createHash, randomBytes } from 'node:crypto';
import type { Dispatch } from '../call.ts';
import type { Authorizer } from '../iam/authorizer.ts';
import { type Clock } from '../clock.ts';
import { PLUGIN, sdkPlugin } from '../sdk-plugin.ts';
import { arn, region } from '../template/resource-type.ts';
import { TemplateError } from '../template/template-error.ts';
import type { Weather } from '../weather.ts';
import { ChainTracker } from './chain.ts';
import { dateOf } from './clock-date.ts';
import type { Globals } from './code.ts';
import { FunctionHost } from './function-host.ts';
import type { FunctionSpec } from './function-spec.ts';
import { FunctionThread } from './function-thread.ts';
import { LOG_STREAM } from './invocation.ts';
import { type LogLine, type LogSink, privateConsole, privateProcess } from './private-process.ts';
import { SameThread } from './runtime.ts';
import type { Resident } from './thread-messages.ts';

/** What a role signs with; each role has its own, so a signature tells whose it is. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Made anew at every start: nothing signed outlives the process by more than a refused request. */
export function newCredentials(role: string): Credentials {
  const id = createHash('sha256').update(role).digest('hex').toUpperCase();
  return {
    accessKeyId: `ASIA${id.slice(0, 16)}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    sessionToken: randomBytes(48).toString('base64'),
  };
}

interface Given {
  specs: readonly FunctionSpec[];
  /** Folder of each code asset, by its object key. */
  assets: ReadonlyMap<string, string>;
  clock: Clock;
  weather: Weather;
  dispatch: Dispatch;
  credentialsOf: (role: string) => Credentials;
  authorizer: Pick<Authorizer, 'allows' | 'mayAssume' | 'mayEver'>;
  /** Where presigned addresses lead. */
  s3Endpoint: string;
  logs: LogSink;
  /** Program of a thread beside this one, and the names of the functions that run there. */
  thread?: { readonly program: string; readonly functionNames: ReadonlySet<string> } | undefined;
}

export interface Functions {
  /** A host for every function of the template, by its name. */
  readonly hosts: ReadonlyMap<string, FunctionHost>;
  close(): Promise<void>;
}

/** Code is loaded with the first invocation. */
export function openFunctions(given: Given): Functions {
  const says = new Map(given.specs.map((spec) => [spec.name, logOf(spec, given)]));
  const sayOf = (functionName: string): Say => says.get(functionName) ?? (() => undefined);
  const thread =
    given.thread &&
    new FunctionThread({
      program: given.thread.program,
      dispatch: given.dispatch,
      say: (functionName, level, text) => {
        sayOf(functionName)(level, text);
      },
    });
  const hosts = new Map(
    given.specs.map((spec) => {
      const beside = given.thread?.functionNames.has(spec.name) ? thread : undefined;
      return [spec.name, hostOf(spec, { ...given, beside, say: sayOf(spec.name) })];
    }),
  );
  return {
    hosts,
    async close() {
      for (const each of hosts.values()) each.dispose();
      await thread?.close();
    },
  };
}

interface GivenOne extends Given {
  /** The thread that runs it; without it this one does. */
  beside: FunctionThread | undefined;
  say: Say;
}

function hostOf(spec: FunctionSpec, given: GivenOne): FunctionHost {
  const { say, weather, authorizer, beside } = given;
  const folder = given.assets.get(spec.assetKey);
  const place = `${spec.logicalId} (AWS::Lambda::Function)`;
  if (!folder) throw new TemplateError(`${place} has the code ${spec.assetKey}, which is no asset.`);
  if (!authorizer.mayAssume(spec.role, 'lambda.amazonaws.com')) {
    throw new TemplateError(`${place} has the role ${spec.role}, which Lambda may not assume.`);
  }
  const isPowerless = !LEADS_ON.some((action) => authorizer.mayEver(spec.role, action));
  const chains = new ChainTracker(spec, { isPowerless });
  const environment = environmentOf(spec, folder, given);
  const resident = { spec, folder, environment, isPowerless };
  const runtime =
    beside?.runtimeOf(resident) ??
    new SameThread({ spec, folder, chains, globals: () => globalsOf(resident, chains, given) });
  return new FunctionHost({
    spec,
    weather,
    chains,
    runtime,
    // An instance opens its log stream before it runs anything.
    starting: () => {
      say('debug', '');
    },
    failed: ({ error }) => {
      say('error', [`${error.errorType}: ${error.errorMessage}`, ...(error.trace ?? [])].join('\n'));
    },
  });
}

/** What a function calls so that another one runs. */
const LEADS_ON = ['lambda:InvokeFunction', 'sqs:SendMessage'];

type Say = (level: LogLine['level'], text: string) => void;

/**
 * Lambda writes a function's lines, and its own about every invocation, with the function's role; without the permission they are lost.
 */
function logOf({ name, logGroup, role }: FunctionSpec, { authorizer, logs }: Given): Say {
  const resource = arn('logs', `log-group:${logGroup}:log-stream:${LOG_STREAM}`);
  const mayLog = () =>
    ['logs:CreateLogStream', 'logs:PutLogEvents'].every((action) =>
      authorizer.allows(role, { action, resource }),
    );
  let allowed: boolean | undefined;
  return (level, text) => {
    allowed ??= mayLog();
    if (allowed && text !== '') logs({ functionName: name, level, text });
  };
}

function globalsOf(
  { spec: { role }, environment }: Resident,
  chains: ChainTracker,
  { dispatch, clock, say }: GivenOne,
): Globals {
  const plugin = sdkPlugin({ dispatch, role, prepare: (call) => chains.prepare(call) });
  return {
    process: privateProcess({ environment, extras: { [PLUGIN]: plugin }, say }),
    console: privateConsole(say),
    Date: dateOf(clock),
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
function environmentOf(
  { name, memoryMb, handler, logGroup, role, environment }: FunctionSpec,
  folder: string,
  { credentialsOf, s3Endpoint }: Pick<Given, 'credentialsOf' | 's3Endpoint'>,
): Record<string, string> {
  return {
    _HANDLER: `${handler.module}.${handler.name}`,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0] ?? ''}.x`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: LOG_STREAM,
    AWS_REGION: region,
    LAMBDA_TASK_ROOT: folder,
    LANG: 'en_US.UTF-8',
    PATH: process.env['PATH'] ?? '',
    TZ: ':UTC',
    ...ofThisMachine(),
    ...credentialsIn(credentialsOf(role)),
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    ...environment,
  };
}

/** Without its operator's certificates and proxies nothing on this machine may reach another. */
function ofThisMachine(): Record<string, string> {
  const names = [
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name] ?? process.env[name.toLowerCase()];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** As SDKs look for them in an environment. */
export const credentialsIn = ({ accessKeyId, secretAccessKey, sessionToken }: Credentials) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
});
