import { createHash, randomBytes } from 'node:crypto';
import type { Call, Dispatch } from '../call.ts';
import { type Clock } from '../clock.ts';
import { PLUGIN, sdkPlugin } from '../sdk-plugin.ts';
import { region } from '../template/resource-type.ts';
import { TemplateError } from '../template/template-error.ts';
import type { Weather } from '../weather.ts';
import { dateOf } from './clock-date.ts';
import type { Globals } from './code.ts';
import { FunctionHost } from './function-host.ts';
import type { FunctionSpec } from './function-spec.ts';
import { type LogSink, privateConsole, privateProcess } from './private-process.ts';

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
  /** Where presigned addresses lead. */
  s3Endpoint: string;
  logs: LogSink;
}

/** A host for every function of the template, by its name; code is loaded with the first invocation. */
export function functionHosts(given: Given): ReadonlyMap<string, FunctionHost> {
  const { specs, assets, weather, logs } = given;
  return new Map(
    specs.map((spec) => {
      const folder = assets.get(spec.assetKey);
      if (!folder)
        throw new TemplateError(
          `${spec.logicalId} (AWS::Lambda::Function) has the code ${spec.assetKey}, which is no asset.`,
        );
      const host = new FunctionHost({
        spec,
        folder,
        weather,
        globals: (self) => globalsOf(self, folder, given),
        failed: ({ error }) => {
          const text = [`${error.errorType}: ${error.errorMessage}`, ...(error.trace ?? [])].join('\n');
          logs({ functionName: spec.name, level: 'error', text });
        },
      });
      return [spec.name, host] as const;
    }),
  );
}

function globalsOf(
  host: FunctionHost,
  folder: string,
  { dispatch, clock, credentialsOf, s3Endpoint, logs }: Given,
): Globals {
  const { spec } = host;
  const plugin = sdkPlugin({
    dispatch,
    role: spec.role,
    prepare: (call: Call) => host.chains.prepare(call, host.running),
  });
  const say = (level: Parameters<LogSink>[0]['level'], text: string) => {
    logs({ functionName: spec.name, level, text });
  };
  const environment = {
    ...environmentOf(spec, folder),
    ...credentialsIn(credentialsOf(spec.role)),
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    ...spec.environment,
  };
  return {
    process: privateProcess({ environment, extras: { [PLUGIN]: plugin }, say }),
    console: privateConsole(say),
    Date: dateOf(clock),
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
function environmentOf({ name, memoryMb, handler }: FunctionSpec, folder: string): Record<string, string> {
  return {
    _HANDLER: `${handler.module}.${handler.name}`,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0] ?? ''}.x`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'embedded',
    AWS_REGION: region,
    LAMBDA_TASK_ROOT: folder,
    LANG: 'en_US.UTF-8',
    PATH: process.env['PATH'] ?? '',
    TZ: ':UTC',
  };
}

const credentialsIn = ({ accessKeyId, secretAccessKey, sessionToken }: Credentials) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
});
