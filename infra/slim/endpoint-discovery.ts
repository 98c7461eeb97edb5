import { leftOut } from './left-out.ts';

/**
 * Replaces the discovery of DynamoDB endpoints, which no operation in use needs: the SDK's gives each client a cache of
 * 1,000 endpoints.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
export const resolveEndpointDiscoveryConfig = <C extends object>(config: C) =>
  Object.assign(config, { endpointCache: leftOut('Endpoint discovery') });
