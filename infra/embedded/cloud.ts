import { AwsError, type Dispatch } from './call.ts';
import { type Clock, systemClock } from './clock.ts';
import { openDataDirectory } from './disk/data-directory.ts';
import { eventSourceMapping, type EventSourceMapping } from './event-source-mapping/event-source-mapping.ts';
import { mappingSpec } from './event-source-mapping/mapping-spec.ts';
import { ThreadLoad } from './event-source-mapping/thread-load.ts';
import { noFaults } from './faults.ts';
import { faultyDispatch } from './faulty-dispatch.ts';
import type { Origins } from './template/api-names.ts';
import { healthCheck } from './health.ts';
import { browserOrigin } from './http-api/browser-origin.ts';
import { httpApiSpecs, type RouteSpec } from './http-api/api-spec.ts';
import { type Gateways, openGateways } from './http-api/gateways.ts';
import { HttpApi } from './http-api/http-api.ts';
import type { FunctionHost } from './lambda/function-host.ts';
import { functionNameOf } from './lambda/function-spec.ts';
import type { Invocation } from './lambda/invocation.ts';
import { URL_PERMISSIONS } from './lambda/function-url.ts';
import type { FunctionError } from './lambda/outcome.ts';
import type { LogSink } from './lambda/private-process.ts';
import { type Assembly, openCloud, type OpenCloud, type OpenCloudOptions } from './open-cloud.ts';
import { createMetricsPage } from './http-api/metrics-page.ts';
import { watchedQueues } from './metrics/metric-sources.ts';
import { ServiceTotals } from './metrics/service-totals.ts';
import type { Services } from './services.ts';
import { pathBase } from '../../shared/domain/source/endpoint-address.ts';
import type { Resource } from './template/interpret.ts';
import { functionArn } from './template/resource-type.ts';
import { TemplateError } from './template/template-error.ts';

export interface CloudOptions extends Omit<OpenCloudOptions, 'assembly' | 'origins' | 'ports'> {
  /**
   * The start calls a function only after it has the data directory and the ports, so two processes never build in one
   * place.
   */
  readonly assembly: Assembly | (() => Promise<Assembly>);
  readonly host?: string;
  /** Port of the API. 0 chooses a free port. */
  readonly port?: number;
  /** Port of the ingress. 0 chooses a free port. */
  readonly ingressPort?: number;
  /** Address of the ingress for other machines. Default: its address on this one. */
  readonly publicUrl?: string | undefined;
  /** Origin of the API for browsers. Default: its address on this machine. */
  readonly publicApiUrl?: string | undefined;
  /** Addresses and CIDR blocks of reverse proxies in front of the service. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Runs before the first request is answered. */
  readonly prepare?: (open: OpenCloud) => Promise<void>;
}

export interface Cloud {
  /** Address of the API on this machine. */
  readonly url: string;
  /** Address of the ingress on this machine. */
  readonly ingressUrl: string;
  readonly call: Dispatch;
  readonly open: OpenCloud;
  readonly services: Services;
  readonly functions: ReadonlyMap<string, FunctionHost>;
  /** Refuses new work, finishes the work in progress, closes the disk. */
  stop(options?: { graceMs?: number }): Promise<void>;
}

/** The function of an event-source mapping failed. */
class FunctionFailed extends Error {
  constructor({ errorType, errorMessage }: FunctionError) {
    super(`${errorType}: ${errorMessage}`);
  }
}

/**
 * Maximum wait of a stop for the work in progress. Most runs end within it. Longer runs are cut off. Their triggers are
 * not acknowledged, and run again after the next start.
 */
const GRACE_MS = 5_000;

/** Interprets a synthesised stack on this machine and serves its HTTP APIs. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const { dataDir, sync, host = '127.0.0.1', port = 0, ingressPort = 0, isPaused = false } = options;
  const totals = new ServiceTotals();
  const logs: LogSink = (line) => {
    if (!totals.read(line)) options.logs?.(line);
  };
  const disk = options.disk ?? (await openDataDirectory(dataDir, sync));
  let gateways: Gateways | undefined;
  let open: OpenCloud | undefined;
  try {
    gateways = await openGateways({
      host,
      ports: { api: port, ingress: ingressPort },
      trustedProxies: options.trustedProxies,
      publicUrl: options.publicUrl,
      writeLog: (text) => logs({ functionName: 'gateway', level: 'warn', text }),
    });
    const { api, ingress } = gateways.origins;
    const origins = {
      api: options.publicApiUrl ?? browserOrigin(api),
      ingress: options.publicUrl ?? ingress,
    };
    const assembly = typeof options.assembly === 'function' ? await options.assembly() : options.assembly;
    open = await openCloud({ ...options, assembly, origins, disk, logs, ports: gateways.ports });
    await options.prepare?.(open);
    return await serve(open, { gateways, origins, logs, totals, isPaused });
  } catch (error) {
    await gateways?.stop(0);
    await (open ? open.close() : disk.close());
    throw error;
  }
}

interface ServeOptions {
  gateways: Gateways;
  /** Addresses for other machines. */
  origins: Origins;
  logs: LogSink;
  totals: ServiceTotals;
  isPaused: boolean;
}

async function serve(open: OpenCloud, { gateways, origins, logs, totals, isPaused }: ServeOptions): Promise<Cloud> {
  const { services, functions, dispatch } = open;
  const { stack, clock, faults, room } = services;
  const mappings = stack.ofType('AWS::Lambda::EventSourceMapping').map((each) => mappingOf(each, open, logs));
  const options = { integrations: integrationsOf(open), clock, faults, room };
  const apis = httpApiSpecs(stack).map(
    (spec) => new HttpApi(spec, { ...options, domainName: new URL(pathBase(origins[spec.name])).host }),
  );

  if (!isPaused) {
    await services.s3.start();
    services.scheduler.start();
    for (const mapping of mappings) mapping.start();
  }
  const health = healthCheck({ disk: services.disk, room, mappings, isPaused });
  const { totals: requests, streamCount } = gateways;
  const sources = { requests, services: totals, queues: watchedQueues(open), health, streamCount };
  const loadText = async () => (await import('./metrics/metrics-text.ts')).metricsText(sources);
  gateways.serve(apis, health, createMetricsPage(loadText));
  const sweep = setInterval(() => {
    for (const each of functions.values()) each.dropIdle();
  }, 60_000).unref();

  return {
    url: gateways.origins.api,
    ingressUrl: gateways.origins.ingress,
    call: dispatch,
    open,
    services,
    functions,
    async stop({ graceMs = GRACE_MS } = {}) {
      clearInterval(sweep);
      const ended = Promise.all([
        services.scheduler.stop(),
        gateways.stop(graceMs),
        ...mappings.map((mapping) => mapping.stop(graceMs)),
      ]);
      // A real timer: the clock of the cloud may stand still.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      await open.close();
    },
  };
}

function mappingOf({ logicalId, ref, properties }: Resource, open: OpenCloud, logs: LogSink): EventSourceMapping {
  const { stack, clock, sqs, authorizer, dispatch, faults, room } = open.services;
  const spec = mappingSpec(properties);
  const target = hostOf(open, spec.functionName);
  // A function that invokes others runs components.
  const runsComponents = authorizer.mayEver(target.spec.role, 'lambda:InvokeFunction');
  const queue = stack.ofType('AWS::SQS::Queue').find(({ attributes }) => attributes['Arn'] === spec.queueArn);
  if (!queue) throw new TemplateError(`${logicalId} maps the queue ${spec.queueArn}, which the template lacks.`);
  return eventSourceMapping({
    id: logicalId,
    spec,
    queueUrl: queue.ref,
    role: target.spec.role,
    dispatch: faults === noFaults ? dispatch : faultyDispatch({ dispatch, faults, caller: logicalId }),
    allows: (role, permission) => authorizer.allows(role, permission),
    queue: sqs,
    clock,
    // Fault injection shows what happens on AWS.
    ...(faults === noFaults && { threadLoad: threadLoadWith(clock) }),
    mayReceive: () => open.mappings.isEnabled(ref) && (!runsComponents || room.isForRuns),
    async invoke(_functionName, event) {
      const fault = faults.ofCall({ caller: logicalId, service: 'Lambda', operation: 'Invoke' });
      // The batch stays hidden for its visibility timeout, and the receive counts.
      if (fault === 'throttled') throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', { statusCode: 429 });
      const outcome = await target.invoke({ event });
      if (outcome.ok) return outcome.value;
      throw new FunctionFailed(outcome.error);
    },
    onFailure: ({ mapping, error }) => {
      logs({ functionName: mapping, level: 'warn', text: String(error) });
    },
  });
}

/** Batches gather by the machine's clock. Another one could go on meanwhile, so only batches that run gather then. */
function threadLoadWith(clock: Clock): Pick<ThreadLoad, 'isFull' | 'isBusy'> {
  const load = new ThreadLoad();
  return clock === systemClock ? load : { isFull: () => load.isFull(), isBusy: () => false };
}

function integrationsOf(open: OpenCloud) {
  const { authorizer } = open.services;
  const allowed = new Map<RouteSpec, boolean>();
  return {
    invoke: (functionName: string, invocation: Invocation) => hostOf(open, functionName).invoke(invocation),
    mayInvoke(route: RouteSpec): boolean {
      let may = allowed.get(route);
      if (may === undefined) {
        const resource = functionArn(route.functionName);
        const permission = { action: 'lambda:InvokeFunction', resource };
        may = route.isUrl
          ? URL_PERMISSIONS.every((each) => authorizer.allowsAnyone({ ...each, resource }))
          : authorizer.allowsService('apigateway.amazonaws.com', permission, route.sourceArn);
        allowed.set(route, may);
      }
      return may;
    },
  };
}

function hostOf({ functions }: OpenCloud, name: string): FunctionHost {
  const host = functions.get(functionNameOf(name));
  if (host) return host;
  throw new TemplateError(`The template names the function ${name}, which it lacks.`);
}
