import type { MappingStates } from '../event-source-mapping/mapping-states.ts';
import type { FunctionHost } from './function-host.ts';

/** The parts of the service that its operations work on. */
export interface LambdaContext {
  readonly hosts: ReadonlyMap<string, FunctionHost>;
  readonly mappings: MappingStates;
}
