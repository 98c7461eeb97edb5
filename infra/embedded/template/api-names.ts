import { TemplateError } from './template-error.ts';

/** The HTTP APIs of the stack by the end of their `Name`. Each has an origin of its own, as on AWS. */
const API_NAMES = ['api', 'ingress'] as const;
export type ApiName = (typeof API_NAMES)[number];

/** Addresses of the HTTP APIs, without a trailing slash. */
export type Origins = Readonly<Record<ApiName, string>>;

export function apiNameOf(name: string | undefined): ApiName {
  const known = API_NAMES.find((each) => name === each || name?.endsWith(`-${each}`));
  if (known) return known;
  throw new TemplateError(
    `An HTTP API has the name ${name}; only those that end in ${API_NAMES.join(' and ')} have a port.`,
  );
}
