import { checksumAlgorithms } from './checksum.ts';

/** Prefix of the headers of user metadata. */
export const METADATA_PREFIX = 'x-amz-meta-';

/** Members that are headers of requests and responses. */
export const headerMembers: Readonly<Record<string, string>> = {
  CacheControl: 'cache-control',
  ContentDisposition: 'content-disposition',
  ContentEncoding: 'content-encoding',
  ContentLanguage: 'content-language',
  ContentType: 'content-type',
  Expires: 'expires',
  ChecksumAlgorithm: 'x-amz-sdk-checksum-algorithm',
  ...Object.fromEntries(checksumAlgorithms.map((name) => [`Checksum${name}`, `x-amz-checksum-${name.toLowerCase()}`])),
};
