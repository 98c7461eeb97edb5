import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiResult } from '../../shared/http/exchange.ts';
import type { Log } from '../../shared/lambda/log.ts';
import { fileResponse, type StaticFile } from '../../shared/http/files/static-file.ts';
import { PAGE } from './static-files.ts';

/** Addresses of files whose names contain a hash of their content. */
const ASSETS = '/console/assets/';

/** The guide: `/guide/delivery` is its file `delivery.html`. */
const GUIDE = /^\/guide(?:\/([^/]*))?$/;

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

/** The page names files of its release: a browser asks each time whether it has changed. */
const REVALIDATED = 'no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface ConsoleHandlerOptions {
  files: ReadonlyMap<string, StaticFile>;
  /** The pages and pictures of the guide, read at their first use. */
  guide: () => ReadonlyMap<string, StaticFile>;
  log: Log;
}

export function createConsoleHandler({ files, guide, log }: ConsoleHandlerOptions) {
  const page = files.get(PAGE);
  if (!page) throw new Error(`The bundle of the console has no ${PAGE}.`);

  return (event: APIGatewayProxyEventV2): Promise<ApiResult> => {
    const name = GUIDE.exec(event.rawPath);
    const response = name ? guideResponse(event, guide(), name[1]) : respondTo(event, files, page);
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
): ApiResult {
  if (rawPath === '/')
    return { statusCode: 302, headers: { ...HEADERS, location: '/console', 'cache-control': 'no-store' } };
  const header = (name: string) => headers[name];
  const asset = rawPath.startsWith(ASSETS) ? rawPath.slice(ASSETS.length) : undefined;
  if (asset === undefined) return withHeaders(fileResponse(page, { header, cacheControl: REVALIDATED }));
  const file = asset === PAGE ? undefined : files.get(asset);
  return withHeaders(
    file
      ? fileResponse(file, { header, cacheControl: IMMUTABLE })
      : fileResponse(page, { header, cacheControl: 'no-store', status: 404 }),
  );
}

/** A page or a picture of the guide. An unknown one gets the index with status 404. */
function guideResponse(
  { headers }: APIGatewayProxyEventV2,
  guide: ReadonlyMap<string, StaticFile>,
  name = '',
): ApiResult {
  const header = (each: string) => headers[each];
  const file = name === '' ? guide.get(PAGE) : (guide.get(`${name}.html`) ?? guide.get(name));
  if (file) return withHeaders(fileResponse(file, { header, cacheControl: REVALIDATED }));
  const index = guide.get(PAGE);
  if (!index) throw new Error('The bundle of the console has no guide.');
  return withHeaders(fileResponse(index, { header, cacheControl: 'no-store', status: 404 }));
}

const withHeaders = (response: ApiResult): ApiResult => ({
  ...response,
  headers: { ...HEADERS, ...response.headers },
});
