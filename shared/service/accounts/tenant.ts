import type { Isolation } from '../../domain/runner/isolation.ts';
import type { RunnerRequest } from '../../domain/run/run.ts';
import { hasAccount } from '../../runtime/redaction/credentials.ts';

/**
 * The tenant id of a request to the runner: Lambda never runs two tenants in one environment. A request with the fields
 * of an account shares its environment only with requests of the same process.
 */
export const tenantOf =
  (isolation: Isolation) =>
  ({ ownerId, processKey, props }: Pick<RunnerRequest, 'ownerId' | 'processKey' | 'props'>): string =>
    isolation === 'source' && hasAccount(props) ? `${ownerId}/${processKey}` : ownerId;
