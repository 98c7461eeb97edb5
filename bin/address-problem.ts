import type { AddressUnusable } from '../infra/embedded/http-api/address-unusable.ts';

const PORT_VARIABLES = { api: 'PORT', ingress: 'INGRESS_PORT' } as const;

/** One sentence with the variable that mends it. */
export const addressProblem = ({ message, api }: AddressUnusable): string =>
  message.replace(
    /\.$/,
    api === undefined ? ': set HOST to another one.' : `: set ${PORT_VARIABLES[api]} to another port.`,
  );
