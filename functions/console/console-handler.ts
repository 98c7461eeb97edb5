import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Log } from '../../shared/lambda/log.ts';
import { encodedFor, PAGE, type StaticFile } from './static-files.ts';

/** Addresses of files whose names contain a hash of their content. */
const ASSETS = '/console/assets/';

/** It refuses inline scripts and styles, other hosts, frames around the page, and texts used as scripts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // A page that opened the console, or that it links to, has no hold of its window.
  'cross-origin-opener-policy': 'same-origin',
} as const;

const IMMUTABLE = 'public, max-age=31536000, immutable';

interface ConsoleOptions {
  files: ReadonlyMap<string, StaticFile>;
  log: Log;
}

export function createConsoleHandler({ files, log }: ConsoleOptions) {
  const page = files.get(PAGE);
  if (!page) throw new Error(`The bundle of the console has no ${PAGE}.`);

  return (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const response = respondTo(event, files, page);
    log.info('request.served', {
      requestId: event.requestContext.requestId,
      operation: 'console',
      method: event.requestContext.http.method,
      status: response.statusCode,
    });
    return Promise.resolve(response);
  };
}

function respondTo(
  { rawPath, headers }: APIGatewayProxyEventV2,
  files: ReadonlyMap<string, StaticFile>,
  page: StaticFile,
): APIGatewayProxyStructuredResultV2 {
  if (rawPath === '/')
    return { statusCode: 302, headers: { ...HEADERS, location: '/console', 'cache-control': 'no-store' } };
  const acceptEncoding = headers['accept-encoding'] ?? '';
  if (!rawPath.startsWith(ASSETS)) return fileResponse(page, { acceptEncoding, cacheControl: 'no-store' });
  const asset = rawPath.slice(ASSETS.length);
  const file = asset === PAGE ? undefined : files.get(asset);
  return file
    ? fileResponse(file, { acceptEncoding, cacheControl: IMMUTABLE })
    : { ...fileResponse(page, { acceptEncoding, cacheControl: 'no-store' }), statusCode: 404 };
}

function fileResponse(
  file: StaticFile,
  { acceptEncoding, cacheControl }: { acceptEncoding: string; cacheControl: string },
): APIGatewayProxyStructuredResultV2 {
  const { content, encoding } = encodedFor(file, acceptEncoding);
  return {
    statusCode: 200,
    headers: {
      ...HEADERS,
      'content-type': file.contentType,
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: content,
    isBase64Encoded: true,
  };
}
