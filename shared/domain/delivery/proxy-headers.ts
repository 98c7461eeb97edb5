/*
 * Headers by which a proxy tells a receiver about its client. A receiver believes them of the proxy in front of it,
 * which may pass on what it was sent. Headers by which a client itself signs in at a proxy (`cf-access-client-id`,
 * `x-vercel-protection-bypass`) are not among them.
 */

const NAMES = new Set([
  'via',
  // The address of the client.
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'x-clientip',
  'x-cluster-client-ip',
  'true-client-ip',
  'x-true-client-ip',
  'x-remote-ip',
  'x-remote-addr',
  'remote-addr',
  'x-originating-ip',
  'x-source-ip',
  'x-peer-ip',
  'x-proxyuser-ip',
  'wl-proxy-client-ip',
  'x-sucuri-clientip',
  'incap-client-ip',
  'x-akamai-edgescape',
  'fastly-client-ip',
  'fastly-client',
  'fly-client-ip',
  'do-connecting-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'cf-ipcountry',
  // The address, protocol and method that the client asked for.
  'x-host',
  'x-scheme',
  'x-url-scheme',
  'front-end-https',
  'x-rewrite-url',
  'cf-visitor',
  // The user whom the proxy has authenticated.
  'remote-user',
  'remote-groups',
  'remote-name',
  'remote-email',
  'x-consumer-id',
  'x-consumer-custom-id',
  'x-consumer-username',
  'x-consumer-groups',
  'cf-access-authenticated-user-email',
  'cf-access-jwt-assertion',
  'x-pomerium-jwt-assertion',
]);

const PREFIXES = [
  'forwarded',
  'x-forwarded',
  'x-original-',
  'x-envoy-',
  'x-azure-',
  'x-appengine-',
  'cloudfront-',
  'x-arr-',
  'x-nf-client-',
  'x-vercel-forwarded-',
  'x-vercel-proxied-',
  'x-vercel-ip-',
  // Certificates of clients.
  'client-cert',
  'x-client-cert',
  'x-ssl-',
  'ssl-client-',
  'x-amzn-mtls-',
  // Users whom the proxy has authenticated.
  'x-remote-user',
  'x-remote-group',
  'x-remote-extra-',
  'x-authenticated-',
  'x-auth-request-',
  'x-webauth-',
  'x-amzn-oidc-',
  'x-goog-iap-',
  'x-goog-authenticated-user-',
  'x-ms-client-principal',
  'x-authentik-',
  'x-pomerium-claim-',
  'tailscale-user-',
];

/** `name` is in lower case. */
export const isHeaderOfProxies = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
