import type { Dispatch } from './call.ts';
import { openDataDirectory } from './data-directory.ts';
import { eventSourceMapping, type EventSourceMapping } from './event-source-mapping/event-source-mapping.ts';
import { mappingSpec } from './event-source-mapping/mapping-spec.ts';
import { httpApiSpecs, type RouteSpec } from './http-api/api-spec.ts';
import { Gateway } from './http-api/gateway.ts';
import { HttpApi } from './http-api/http-api.ts';
import { chainOfRecords } from './lambda/chain.ts';
import type { FunctionHost } from './lambda/function-host.ts';
import { functionNameOf } from './lambda/function-spec.ts';
import type { Invocation } from './lambda/invocation.ts';
import type { FunctionError } from './lambda/outcome.ts';
import { type Assembly, openCloud, type OpenCloud, type OpenCloudOptions } from './open-cloud.ts';
import type { Services } from './services.ts';
import type { Resource } from './template/interpret.ts';
import { functionArn } from './template/resource-type.ts';
import { TemplateError } from './template/template-error.ts';

export interface CloudOptions extends Omit<OpenCloudOptions, 'assembly' | 'publicUrl'> {
  /** A function is asked once the data directory and the port are ours: two processes never make one at the same place. */
  readonly assembly: Assembly | (() => Promise<Assembly>);
  readonly host?: string;
  /** 0 finds a free one. */
  readonly port?: number;
  /** Where others reach the HTTP APIs; without it the address that is listened on. */
  readonly publicUrl?: string | undefined;
  /** What must be done before the first request is answered. */
  readonly prepare?: (open: OpenCloud) => Promise<void>;
}

export interface Cloud {
  /** Where the HTTP APIs are reached on this machine. */
  readonly url: string;
  readonly publicUrl: string;
  readonly call: Dispatch;
  readonly open: OpenCloud;
  readonly services: Services;
  readonly functions: ReadonlyMap<string, FunctionHost>;
  /** Takes nothing new, finishes what runs, closes the disk. */
  stop(options?: { graceMs?: number }): Promise<void>;
}

/** A function that an event-source mapping invoked failed. */
class FunctionFailed extends Error {
  constructor({ errorType, errorMessage }: FunctionError) {
    super(`${errorType}: ${errorMessage}`);
  }
}

/** Longest that a stop waits for what runs. */
const GRACE_MS = 10_000;

/** Interprets a synthesised stack on this machine and serves its HTTP APIs. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const { dataDir, sync, host = '127.0.0.1', port = 0 } = options;
  const disk = options.disk ?? (await openDataDirectory(dataDir, sync));
  const gateway = new Gateway();
  let open: OpenCloud | undefined;
  try {
    const taken = await gateway.listen(host, port);
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    const publicUrl = options.publicUrl ?? url;
    const assembly = typeof options.assembly === 'function' ? await options.assembly() : options.assembly;
    open = await openCloud({ ...options, assembly, publicUrl, disk });
    await options.prepare?.(open);
    return await serve(open, { gateway, url, publicUrl, logs: options.logs });
  } catch (error) {
    await gateway.stop(0);
    await (open ? open.close() : disk.close());
    throw error;
  }
}

interface Serving {
  gateway: Gateway;
  url: string;
  publicUrl: string;
  logs: CloudOptions['logs'];
}

async function serve(open: OpenCloud, { gateway, url, publicUrl, logs }: Serving): Promise<Cloud> {
  const { services, functions, asynchronous, dispatch } = open;
  const { stack, clock } = services;
  const mappings = stack.ofType('AWS::Lambda::EventSourceMapping').map((each) => mappingOf(each, open, logs));
  const place = { integrations: integrationsOf(open), clock, domainName: new URL(publicUrl).host };
  const apis = httpApiSpecs(stack).map((spec) => new HttpApi(spec, place));

  await services.s3.start();
  await asynchronous.load();
  await services.scheduler.start();
  for (const mapping of mappings) mapping.start();
  gateway.serveApis(apis);
  const sweep = setInterval(() => {
    for (const each of functions.values()) each.dropIdle();
  }, 60_000).unref();

  return {
    url,
    publicUrl,
    call: dispatch,
    open,
    services,
    functions,
    async stop({ graceMs = GRACE_MS } = {}) {
      clearInterval(sweep);
      asynchronous.stop();
      const ended = Promise.all([
        services.scheduler.stop(),
        gateway.stop(graceMs),
        ...mappings.map((mapping) => mapping.stop(graceMs)),
      ]);
      // In real time, whatever the clock: it may stand still.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      await open.close();
    },
  };
}

function mappingOf(
  { logicalId, properties }: Resource,
  open: OpenCloud,
  logs: CloudOptions['logs'],
): EventSourceMapping {
  const { stack, clock, sqs, authorizer, dispatch } = open.services;
  const spec = mappingSpec(properties);
  const target = hostOf(open, spec.functionName);
  const queue = stack.ofType('AWS::SQS::Queue').find(({ attributes }) => attributes['Arn'] === spec.queueArn);
  if (!queue)
    throw new TemplateError(
      `${logicalId} maps the queue ${spec.queueArn}, which the template does not have.`,
    );
  return eventSourceMapping({
    id: logicalId,
    spec,
    queueUrl: queue.ref,
    role: target.spec.role,
    dispatch,
    allows: (role, demand) => authorizer.allows(role, demand),
    queue: sqs,
    clock,
    async invoke(_functionName, event) {
      const outcome = await target.invoke({ event, chain: chainOfRecords(event) });
      if (outcome.ok) return outcome.value;
      throw new FunctionFailed(outcome.error);
    },
    onFailure: ({ mapping, error }) => {
      logs?.({ functionName: mapping, level: 'warn', text: String(error) });
    },
  });
}

function integrationsOf(open: OpenCloud) {
  const { authorizer } = open.services;
  const allowed = new Map<RouteSpec, boolean>();
  return {
    invoke: (functionName: string, invocation: Invocation) => hostOf(open, functionName).invoke(invocation),
    mayInvoke(route: RouteSpec): boolean {
      let may = allowed.get(route);
      if (may === undefined) {
        const demand = { action: 'lambda:InvokeFunction', resource: functionArn(route.functionName) };
        may = authorizer.allowsService('apigateway.amazonaws.com', demand, route.sourceArn);
        allowed.set(route, may);
      }
      return may;
    },
  };
}

function hostOf({ functions }: OpenCloud, named: string): FunctionHost {
  const found = functions.get(functionNameOf(named));
  if (found) return found;
  throw new TemplateError(`The template names the function ${named}, which it does not have.`);
}
