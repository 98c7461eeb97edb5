import { hasOrigins } from '../shared/domain/source/endpoint-address.ts';

interface ReadyLine {
  /** Origin of the API and the console. */
  url: string;
  /** Origin of the endpoints. */
  ingressUrl: string;
  /** Address of the ingress for other machines. */
  publicUrl: string | undefined;
  isPaused: boolean;
  /** How components are isolated. */
  isolation: string | undefined;
  /** The key of the user `admin`, when this start generated it. */
  newKey: string | undefined;
  /** The user `admin` has the key of the variable `API_KEY`. */
  hasGivenKey: boolean;
}

/** The only line on standard output of a start. */
export function readyLine({ url, ingressUrl, publicUrl = '', isPaused, isolation, ...key }: ReadyLine): string {
  const addresses = `Ready at ${url}/v1, ingress at ${ingressUrl}, console at ${url}/console`;
  const endpoints = hasOrigins(publicUrl) ? `, endpoints at ${publicUrl}` : '';
  const components = isolation === undefined ? '' : ` (${isolation})`;
  const paused = isPaused ? ', paused: delivers nothing, runs nothing, fires no timer' : '';
  return `${addresses}${endpoints}${components}${paused}${keyNotice(key)}\n`;
}

function keyNotice({ newKey, hasGivenKey }: Pick<ReadyLine, 'newKey' | 'hasGivenKey'>): string {
  if (newKey !== undefined) return `, API key of admin: ${newKey}`;
  return hasGivenKey
    ? ', API key of admin: the one in API_KEY'
    : ', for a new API key run tributary admin users rotate-key';
}
