import type { ApiName } from '../template/api-names.ts';

/** The message is one sentence for the operator. */
export class AddressUnusable extends Error {
  override readonly name = 'AddressUnusable';
  /** The API whose port cannot be used; undefined when the host cannot be used. */
  readonly api: ApiName | undefined;

  constructor(message: string, api: ApiName | undefined, cause: unknown) {
    super(message, { cause });
    this.api = api;
  }
}

/** Reasons by error code of the system. */
const PORT_UNUSABLE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'may not be used by this process',
};
const HOST_UNUSABLE: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not known',
  EAI_AGAIN: 'is not known',
};

interface Address {
  readonly api: ApiName;
  readonly host: string;
  readonly port: number;
}

/** Undefined for errors that are not about the address. */
export function addressUnusable(
  error: NodeJS.ErrnoException,
  { api, host, port }: Address,
): AddressUnusable | undefined {
  const { code = '' } = error;
  const ofPort = PORT_UNUSABLE[code];
  if (ofPort !== undefined) return new AddressUnusable(`The port ${port} of ${host} ${ofPort}.`, api, error);
  const ofHost = HOST_UNUSABLE[code];
  if (ofHost !== undefined) return new AddressUnusable(`The host ${host} ${ofHost}.`, undefined, error);
  return undefined;
}
