import type { ApiName, Origins } from '../template/api-names.ts';
import type { HealthCheck } from '../health.ts';
import type { MetricsPage } from './metrics-page.ts';
import type { RequestTotals } from '../metrics/request-totals.ts';
import type { ServicePorts } from '../isolation/spawner-messages.ts';
import { endpointLabelReader } from '../../../shared/domain/source/endpoint-address.ts';
import { Gateway } from './gateway.ts';
import { gatewayOptions } from './gateway-options.ts';
import type { HttpApi } from './http-api.ts';

export interface GatewaysOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly ports: Readonly<Record<ApiName, number>>;
  /** Addresses and CIDR blocks of reverse proxies that say whom they serve in `X-Forwarded-For`. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Address of the ingress for other machines. */
  readonly publicUrl?: string | undefined;
  /** Receives lines about requests that are refused before a function sees them. */
  readonly writeLog?: ((line: string) => void) | undefined;
}

/** The listeners of both HTTP APIs. Requests wait until `serve` is called. */
export interface Gateways {
  readonly ports: ServicePorts;
  /** Addresses on this machine. */
  readonly origins: Origins;
  readonly totals: RequestTotals;
  /** Number of live streams that are open. */
  streamCount(): number;
  serve(apis: readonly HttpApi[], health: HealthCheck, metrics: MetricsPage): void;
  /** Refuses further requests, and waits for the current ones, at most for this time. */
  stop(graceMs: number): Promise<void>;
}

export async function openGateways({
  host,
  ports,
  trustedProxies,
  publicUrl,
  writeLog,
}: GatewaysOptions): Promise<Gateways> {
  const options = gatewayOptions(trustedProxies, writeLog);
  const labelOf = endpointLabelReader(publicUrl ?? '');
  const api = new Gateway('api', options);
  const ingress = new Gateway('ingress', {
    ...options,
    isEndpointHost: (host) => labelOf(host) !== undefined,
  });
  const apiPort = await api.listen(host, ports.api);
  const ingressPort = await ingress.listen(host, ports.ingress).catch(async (error: unknown) => {
    await api.stop(0);
    throw error;
  });
  const originOf = (port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    ports: { ownPorts: [apiPort], openPorts: [ingressPort] },
    origins: { api: originOf(apiPort), ingress: originOf(ingressPort) },
    totals: options.totals,
    streamCount: () => api.streamCount,
    serve(apis, health, metrics) {
      const apiNamed = (wanted: ApiName) => apis.find(({ name }) => name === wanted);
      ingress.serve(apiNamed('ingress'), health);
      api.serve(apiNamed('api'), health, metrics);
    },
    async stop(graceMs) {
      await Promise.all([api.stop(graceMs), ingress.stop(graceMs)]);
    },
  };
}
