import { isLoopbackHost, urlProblem } from '../url.ts';

const PLACEHOLDER = /\{([a-z]+)\}/g;

/** The problem of an address at a provider, which may have `{placeholders}`. Access tokens and secrets go there. */
export function providerAddressProblem(address: string): string | undefined {
  const filled = address.replace(PLACEHOLDER, 'x');
  const problem = urlProblem(filled);
  if (problem !== undefined) return problem;
  const { protocol, hostname, hash } = new URL(filled);
  if (hash !== '') return 'must not have a fragment';
  return protocol === 'https:' || isLoopbackHost(hostname)
    ? undefined
    : 'must be an https address (http only of this machine)';
}

/**
 * The problem of an address whose host the user who connects an account would choose: the client's secret would go to
 * any host. Two labels after the placeholder are fixed, unless the provider's entry or the operator bounds its value.
 */
export function placeholderProblem(address: string, isBounded: (name: string) => boolean): string | undefined {
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(address) ?? [];
  const labels = authority.replace(/:\d*$/, '').replace(/\.$/, '').split('.');
  if (labels.every((label) => placeholdersIn([label]).length > 0))
    return 'must not have a placeholder as its whole host: write the domain of the provider after it';
  const free = placeholdersIn(labels.slice(-2)).find((name) => !isBounded(name));
  return free === undefined
    ? undefined
    : `must have a fixed domain such as example.com after {${free}}, or get its value by --parameter ${free}=…`;
}

/** Names of the placeholders in addresses, each once. */
export const placeholdersIn = (addresses: readonly (string | undefined)[]): string[] => [
  ...new Set(addresses.flatMap((address = '') => [...address.matchAll(PLACEHOLDER)].map(([, name = '']) => name))),
];

/** The address with its placeholders filled by values that were checked. */
export const filledAddress = (address: string, parameters: Readonly<Record<string, string>>): string =>
  address.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(parameters, name) ? (parameters[name] ?? whole) : whole,
  );
