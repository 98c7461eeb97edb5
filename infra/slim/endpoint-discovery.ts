import { leftOut } from './left-out.ts';

/**
 * Stands in for the discovery of DynamoDB endpoints, which none of its operations in use asks for: the real one gives each client a cache
 * of a thousand endpoints.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
export const resolveEndpointDiscoveryConfig = <C extends object>(config: C) =>
  Object.assign(config, { endpointCache: leftOut('Endpoint discovery') });
