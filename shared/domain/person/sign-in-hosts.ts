import { endpointLabelReader, pathBase } from '../source/endpoint-address.ts';
import { isLoopbackHost } from '../url.ts';

interface Addresses {
  publicApiUrl: string;
  ingressUrl: string;
}

/**
 * Why people cannot sign in at these addresses. Cookies know no ports: a component at the host of the API would get the
 * cookies of the console.
 */
export function signInHostProblem({ publicApiUrl, ingressUrl }: Addresses): string | undefined {
  const { protocol, hostname, host } = new URL(publicApiUrl);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    return `Sign-in needs a public address of the API with https; it is ${publicApiUrl}. Put a proxy with TLS before it, and set PUBLIC_API_URL to its address.`;
  const isShared =
    new URL(pathBase(ingressUrl)).hostname === hostname || endpointLabelReader(ingressUrl)(host) !== undefined;
  return isShared
    ? `Sign-in needs an ingress with another host name than the API: both have ${hostname}, and browsers send the cookies of the console to all ports of a host, so to components, too. Set PUBLIC_API_URL and PUBLIC_URL to different host names, such as https://tributary.example.com and https://hooks.example.com, or http://localhost:3000 and http://127.0.0.1:3001 on your own machine.`
    : undefined;
}
