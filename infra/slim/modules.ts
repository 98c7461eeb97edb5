/** Modules of packages that no function reaches. In bundles each of their exports is one that throws when it is touched. */
export const modulesLeftOut: readonly { why: string; modules: readonly string[] }[] = [
  {
    why: 'Node hashes natively',
    modules: [
      '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js',
      '@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js',
      '@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js',
    ],
  },
  {
    why: 'Bodies are streams of Node, not of the web',
    modules: [
      '@smithy/core/dist-es/submodules/serde/util-stream/sdk-stream-mixin.browser.js',
      '@smithy/core/dist-es/submodules/serde/util-stream/createBufferedReadable.browser.js',
      '@smithy/core/dist-es/submodules/serde/util-stream/getAwsChunkedEncodingStream.browser.js',
      '@smithy/core/dist-es/submodules/serde/util-stream/splitStream.browser.js',
      '@smithy/core/dist-es/submodules/serde/util-stream/headStream.browser.js',
      '@smithy/core/dist-es/submodules/serde/util-stream/stream-collector.browser.js',
      '@smithy/core/dist-es/submodules/serde/util-stream/checksum/createChecksumStream.browser.js',
    ],
  },
  {
    why: 'Only for the retry mode "adaptive"',
    modules: ['@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js'],
  },
  {
    why: 'Functions learn their region from the environment',
    modules: [
      '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js',
    ],
  },
  {
    why: 'No bucket is of S3 Express, no table has endpoints to discover, and pages are read by the stores',
    modules: [
      '@aws-sdk/client-s3/dist-es/commands/CreateSessionCommand.js',
      '@aws-sdk/client-dynamodb/dist-es/commands/DescribeEndpointsCommand.js',
      '@aws-sdk/lib-dynamodb/dist-es/pagination/QueryPaginator.js',
      '@aws-sdk/lib-dynamodb/dist-es/pagination/ScanPaginator.js',
    ],
  },
  {
    why: 'Attempts speak HTTP/1.1 and send strings',
    modules: ['undici/lib/dispatcher/client-h2.js', 'undici/lib/web/fetch/body.js'],
  },
  {
    why: 'Node supports no processor without SIMD any more',
    modules: ['undici/lib/llhttp/llhttp-wasm.js'],
  },
];
