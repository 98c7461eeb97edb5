/** A module of a package that another file stands in for in the functions' bundles. */
export interface Replacement {
  /** Path below `node_modules/`. */
  module: string;
  /** File in this folder. */
  by: string;
  /** For a CommonJS module: the export of the file that stands in for the whole module. */
  as?: string;
}

const smithy = '@smithy/core/dist-es/submodules';

/** Whole modules only: the text of a package is never changed. */
export const replacements: readonly Replacement[] = [
  { module: '@aws-sdk/credential-provider-node/dist-es/index.js', by: 'credentials.ts' },
  { module: `${smithy}/config/node-config-provider/fromSharedConfigFiles.js`, by: 'config-files.ts' },
  { module: '@aws-sdk/middleware-endpoint-discovery/dist-es/index.js', by: 'endpoint-discovery.ts' },
  { module: '@aws-sdk/lib-dynamodb/dist-es/pagination/index.js', by: 'pagination.ts' },
  { module: 'undici/index.js', by: 'undici.ts' },
  { module: 'undici/lib/dispatcher/client-h2.js', by: 'unused.ts', as: 'connectH2' },
  { module: 'undici/lib/web/fetch/body.js', by: 'unused.ts' },
  { module: 'undici/lib/llhttp/llhttp-wasm.js', by: 'unused.ts', as: 'parserWithoutSimd' },
  { module: `${smithy}/checksum/sha256/Sha256Js.js`, by: 'unused.ts' },
  { module: `${smithy}/checksum/md5/Md5Js.js`, by: 'unused.ts' },
  { module: '@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js', by: 'unused.ts' },
  { module: `${smithy}/serde/util-stream/sdk-stream-mixin.browser.js`, by: 'unused.ts' },
  { module: `${smithy}/serde/util-stream/checksum/createChecksumStream.browser.js`, by: 'unused.ts' },
  { module: `${smithy}/retry/util-retry/AdaptiveRetryStrategy.js`, by: 'unused.ts' },
  { module: `${smithy}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`, by: 'unused.ts' },
];
