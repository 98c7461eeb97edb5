import {
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  type HttpRouteIntegration,
  HttpRouteKey,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type Node } from 'constructs';
import { addAccessLog } from './access-log.ts';
import { type ApiAddress, type ApiAddressProps, addressOf, defaultNameOf } from './api-address.ts';

/** A function that gets requests, or its alias. */
export interface RequestTarget {
  readonly node: Node;
  readonly lambda: IFunction;
}

/** The API `/v1`. CORS allows every origin, because the API key is sent in a header and not by the browser itself. */
export class PublicApi extends Construct {
  readonly address: ApiAddress;
  private readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: ApiAddressProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: `${props.stackName}-api`,
      createDefaultStage: false,
      ...defaultNameOf(props),
      corsPreflight: {
        allowOrigins: ['*'],
        allowMethods: [CorsHttpMethod.ANY],
        allowHeaders: ['authorization', 'content-type', 'last-event-id'],
        exposeHeaders: ['x-request-id', 'retry-after', 'allow', 'www-authenticate'],
        maxAge: Duration.days(1),
      },
    });
    const { stage, address } = addressOf(this, this.api, props);
    addAccessLog(this, stage, props);
    this.address = address;
  }

  get apiId(): string {
    return this.api.apiId;
  }

  /** Adds routes with keys of API Gateway: `ANY /v1/sources/{proxy+}`, `$default`. */
  route(routeKeys: readonly string[], to: RequestTarget): void {
    const integration = integrationOf(to);
    for (const routeKey of routeKeys) addRoute(this.api, routeKey, integration);
  }
}

/**
 * Endpoints of sources and workflows. Without CORS, because components answer preflight requests themselves; without an
 * access log unless the stage asks for it, because the function writes a line for each request.
 */
export class Ingress extends Construct {
  readonly address: ApiAddress;
  private readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: ApiAddressProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: `${props.stackName}-ingress`,
      createDefaultStage: false,
      ...defaultNameOf(props),
    });
    const { stage, address } = addressOf(this, this.api, props);
    if (props.accessLogs.ingress) addAccessLog(this, stage, props);
    this.address = address;
  }

  get apiId(): string {
    return this.api.apiId;
  }

  /** Sends all requests to one function. */
  serve(by: RequestTarget): void {
    addRoute(this.api, '$default', integrationOf(by));
  }
}

/** One permission for all routes of a function: a stack may have 500 resources, and two constructs have to fit. */
const integrationOf = ({ node, lambda }: RequestTarget): HttpLambdaIntegration =>
  new HttpLambdaIntegration(node.id, lambda, { scopePermissionToRoute: false });

function addRoute(httpApi: HttpApi, routeKey: string, integration: HttpRouteIntegration): void {
  const [method = '', path] = routeKey.split(' ');
  new HttpRoute(httpApi, routeKey, {
    httpApi,
    integration,
    routeKey:
      path === undefined
        ? HttpRouteKey.DEFAULT
        : HttpRouteKey.with(path, HttpMethod[method as keyof typeof HttpMethod]),
  });
}
