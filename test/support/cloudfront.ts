import http from 'node:http';
import { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import type { Template } from './template.ts';

/** CloudFront writes it in the place of a viewer's `Authorization`. */
const SIGNATURE = 'AWS4-HMAC-SHA256 Credential=ASIA/20261130/us-east-1/lambda/aws4_request, Signature=00';

/**
 * A distribution before a function URL, as CloudFront describes it for an origin access control that always signs, all
 * headers of the viewer but `Host`, no cache, and the header policy SimpleCORS.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-response-headers-policies.html
 */
export class Distribution {
  readonly origin: string;
  /** The address of the function URL. */
  target: string | undefined;

  private constructor(server: http.Server) {
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      this.#forward(request, response);
    });
  }

  static async start(): Promise<Distribution> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new Distribution(server);
  }

  #forward(viewer: http.IncomingMessage, response: http.ServerResponse): void {
    const url = new URL(viewer.url ?? '/', this.target);
    const headers = { ...viewer.headers, host: url.host, authorization: SIGNATURE, via: '2.0 cloudfront' };
    const upstream = http.request(url, { method: viewer.method, headers }, (origin) => {
      response.writeHead(origin.statusCode ?? 502, { 'access-control-allow-origin': '*', ...origin.headers });
      origin.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    viewer.pipe(upstream);
  }
}

/**
 * The assembly of the stage `signed` for a cloud without CloudFront: its distribution is at `origin`, and its function
 * URL lets everybody call it.
 */
export function behind(origin: string, assembly: Assembly): Assembly {
  const { Resources, ...rest } = structuredClone(assembly.template) as Template;
  const kept = Object.entries(Resources).filter(([, { Type }]) => !Type.startsWith('AWS::CloudFront::'));
  for (const [, { Type, Properties }] of kept) {
    if (Type === 'AWS::Lambda::Url') Properties['AuthType'] = 'NONE';
    if (Type !== 'AWS::Lambda::Permission' || Properties['Principal'] !== 'cloudfront.amazonaws.com') continue;
    Properties['Principal'] = '*';
    delete Properties['SourceArn'];
    delete Properties['SourceAccount'];
    if (Properties['FunctionUrlAuthType'] !== undefined) Properties['FunctionUrlAuthType'] = 'NONE';
  }
  const text = JSON.stringify({ ...rest, Resources: Object.fromEntries(kept) });
  const address = /\{"Fn::Join":\["",\["https:\/\/",\{"Fn::GetAtt":\["\w+","DomainName"\]\}\]\]\}/g;
  return { ...assembly, template: JSON.parse(text.replace(address, JSON.stringify(origin))) as unknown };
}
