import { CredentialsProviderError } from '@smithy/core/config';

/**
 * Replaces the SDK's reading of `~/.aws/config`: functions have only their environment. The error makes the SDK take
 * the next source.
 */
export const fromSharedConfigFiles = () => () =>
  Promise.reject(new CredentialsProviderError('Functions read no AWS configuration files'));
