import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the certificates that this machine adds to those of Node; empty without any. */
    certificates: string;
  }
}

/**
 * The certificates of this machine, which its way to the registry may need, for the environment of a process. Other
 * processes run without them: Node 20 reads the certificates of an operating system at each start, which takes longer
 * than the rest of the start.
 */
export function registryCertificates(): Record<string, string> {
  const certificates = inject('certificates');
  return certificates === '' ? {} : { NODE_EXTRA_CA_CERTS: certificates };
}

/** Gives the processes that the tests of this file start {@link registryCertificates}. */
export function trustRegistry(): void {
  Object.assign(process.env, registryCertificates());
  afterAll(() => {
    delete process.env['NODE_EXTRA_CA_CERTS'];
  });
}
