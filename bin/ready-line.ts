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
}

/** The only line on standard output of a start. */
export function readyLine({ url, ingressUrl, publicUrl = '', isPaused, isolation, newKey }: ReadyLine): string {
  const addresses = `Ready at ${url}/v1, ingress at ${ingressUrl}, console at ${url}/console`;
  const endpoints = hasOrigins(publicUrl) ? `, endpoints at ${publicUrl}` : '';
  const components = isolation === undefined ? '' : ` (${isolation})`;
  const paused = isPaused ? ', paused: delivers nothing, runs nothing, fires no timer' : '';
  return `${addresses}${endpoints}${components}${paused}${keyNotice(newKey)}\n`;
}

const keyNotice = (newKey: string | undefined): string =>
  newKey === undefined
    ? ", for an API key run the operator's commands users list and users rotate-key"
    : `, API key of admin: ${newKey}`;
