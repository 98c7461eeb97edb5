import {
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  type HttpRouteIntegration,
  HttpRouteKey,
  HttpStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import type { ServiceFunction } from './service-function.ts';

/** The API `/v1`. CORS allows every origin, because the API key is sent in a header and not by the browser itself. */
export class PublicApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { throttle }: Pick<Stage, 'throttle'>) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: ['*'],
        allowMethods: [CorsHttpMethod.ANY],
        allowHeaders: ['authorization', 'content-type'],
        exposeHeaders: ['x-request-id', 'retry-after', 'allow', 'www-authenticate'],
        maxAge: Duration.days(1),
      },
    });
    defaultStage(this, this.api, throttle);
  }

  /** Adds routes with keys of API Gateway: `ANY /v1/sources/{proxy+}`, `$default`. */
  route(routeKeys: readonly string[], to: ServiceFunction): void {
    const integration = new HttpLambdaIntegration(to.node.id, to.lambda);
    for (const routeKey of routeKeys) addRoute(this.api, routeKey, integration);
  }
}

/** Endpoints of sources and workflows. Without CORS, because components answer preflight requests themselves. */
export class Ingress extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { throttle }: Pick<Stage, 'throttle'>) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', { createDefaultStage: false });
    defaultStage(this, this.api, throttle);
  }

  get url(): string {
    return this.api.apiEndpoint;
  }

  /** Sends all requests to one function. */
  serve(by: ServiceFunction): void {
    addRoute(this.api, '$default', new HttpLambdaIntegration(by.node.id, by.lambda));
  }
}

function defaultStage(scope: Construct, httpApi: HttpApi, throttle: Stage['throttle']): void {
  new HttpStage(scope, 'Stage', {
    httpApi,
    autoDeploy: true,
    throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
  });
}

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
