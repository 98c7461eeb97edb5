import { checksumAlgorithms } from './checksum.ts';

/** How user metadata is told from other headers. */
export const META = 'x-amz-meta-';

/** Members that travel as headers, in both directions. */
export const headerMembers: Readonly<Record<string, string>> = {
  CacheControl: 'cache-control',
  ContentDisposition: 'content-disposition',
  ContentEncoding: 'content-encoding',
  ContentLanguage: 'content-language',
  ContentType: 'content-type',
  Expires: 'expires',
  ChecksumAlgorithm: 'x-amz-sdk-checksum-algorithm',
  ...Object.fromEntries(
    checksumAlgorithms.map((name) => [`Checksum${name}`, `x-amz-checksum-${name.toLowerCase()}`]),
  ),
};
