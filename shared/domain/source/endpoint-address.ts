import * as z from 'zod';

/** The form of an endpoint's address: a path of the ingress, or an origin of its own. */
export const EndpointForm = z.enum(['path', 'origin'], 'must be path or origin');
export type EndpointForm = z.infer<typeof EndpointForm>;

/**
 * In the base URL of the ingress, `*` as the first label of the host stands for the id of an endpoint that is an
 * origin.
 */
const WILDCARD = '://*.';

export const hasOrigins = (ingressUrl: string): boolean => ingressUrl.includes(WILDCARD);

/** The base URL of addresses that are paths, without a trailing slash. */
export const pathBase = (ingressUrl: string): string => ingressUrl.replace(WILDCARD, '://');

export const originOf = (ingressUrl: string, endpointId: string): string => ingressUrl.replace('*', endpointId);

/** An endpoint that was an origin is a path again when the ingress has lost its wildcard. */
export const endpointAddress = (ingressUrl: string, endpointId: string, form: EndpointForm): string =>
  form === 'origin' && hasOrigins(ingressUrl)
    ? originOf(ingressUrl, endpointId)
    : `${pathBase(ingressUrl)}/${endpointId}`;

/**
 * Reads `Host` headers: the part of an endpoint's own host that stands for `*`, in lower case as ids are; undefined for
 * other hosts. The port and a last dot do not count.
 */
export function endpointLabelReader(ingressUrl: string): (host: string | undefined) => string | undefined {
  if (!hasOrigins(ingressUrl)) return () => undefined;
  const suffix = new URL(ingressUrl).hostname.slice(1);
  return (host = '') => {
    const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
    return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
  };
}
