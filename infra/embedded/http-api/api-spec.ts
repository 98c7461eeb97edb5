import * as z from 'zod';
import { type ApiName, apiNameOf } from '../template/api-names.ts';
import { functionNameOf, functionSpecs } from '../lambda/function-spec.ts';
import { functionUrlSpecs } from '../lambda/function-url.ts';
import type { Interpretation } from '../template/interpret.ts';
import { readProperties } from '../template/read-properties.ts';
import { arn } from '../template/resource-type.ts';
import { TemplateError } from '../template/template-error.ts';

/** One HTTP API with its `$default` stage, routes and integrations. */
export interface HttpApiSpec {
  readonly id: string;
  readonly name: ApiName;
  readonly cors: CorsSpec | undefined;
  readonly throttle: { readonly rate: number; readonly burst: number } | undefined;
  /** The largest body that a function of this API accepts; undefined for the gateway's own limit. */
  readonly bodyLimit: number | undefined;
  /** Whether the functions of this API can be asked about a request before its body is read. */
  readonly hasHeadChecks: boolean;
  readonly routes: readonly RouteSpec[];
}

export interface CorsSpec {
  readonly AllowHeaders: readonly string[];
  readonly AllowMethods: readonly string[];
  readonly AllowOrigins: readonly string[];
  readonly ExposeHeaders: readonly string[];
  readonly MaxAge?: number | undefined;
}

export interface RouteSpec {
  /** `ANY /v1/x/{proxy+}` or `$default` */
  readonly key: string;
  readonly functionName: string;
  /** Whether it is the function's URL, which streams its responses. */
  readonly isUrl: boolean;
  /** The same path at the URL of a function with the same code: it has the origin of the API here. */
  readonly streamed?: RouteSpec;
  readonly timeoutMs: number;
  /** The source ARN that the function's permission must name. */
  readonly sourceArn: string;
}

/** AWS's default for an HTTP API. */
const INTEGRATION_TIMEOUT_MS = 30_000;

const strings = z.array(z.string()).default([]);
const Api = z.object({
  Name: z.string(),
  ProtocolType: z.literal('HTTP'),
  CorsConfiguration: z
    .object({
      AllowHeaders: strings,
      AllowMethods: strings,
      AllowOrigins: strings,
      ExposeHeaders: strings,
      MaxAge: z.number().int().optional(),
    })
    .optional(),
});
const Stage = z.object({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true),
  DefaultRouteSettings: z
    .object({ ThrottlingBurstLimit: z.number().optional(), ThrottlingRateLimit: z.number().optional() })
    .default({}),
  StageVariables: z
    .object({
      bodyLimit: z.coerce.number().int().positive().optional(),
      headChecks: z.literal('yes').optional(),
    })
    .default({}),
});
const Integration = z.object({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
});
const Route = z.object({
  ApiId: z.string(),
  RouteKey: z.string().regex(/^(\$default|(ANY|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S*)$/),
  Target: z.string().regex(/^integrations\//),
  AuthorizationType: z.literal('NONE').default('NONE'),
});

export function httpApiSpecs(stack: Interpretation): HttpApiSpec[] {
  const integrations = new Map(
    stack.ofType('AWS::ApiGatewayV2::Integration').map((each) => [each.ref, readProperties(Integration, each)]),
  );
  const routes = stack.ofType('AWS::ApiGatewayV2::Route').map((each) => {
    const route = readProperties(Route, each);
    const integration = integrations.get(route.Target.slice('integrations/'.length));
    if (integration) return { ...route, integration };
    throw new TemplateError(
      `${each.logicalId} (${each.type}) has the target ${route.Target}, which the template does not have.`,
    );
  });
  const codes = new Map(functionSpecs(stack).map(({ name, assetKey }) => [name, assetKey]));
  const urls = functionUrlSpecs(stack);
  const stages = stack.ofType('AWS::ApiGatewayV2::Stage').map((each) => readProperties(Stage, each));
  return stack.ofType('AWS::ApiGatewayV2::Api').map((each) => {
    const { Name, CorsConfiguration } = readProperties(Api, each);
    const stage = stages.find(({ ApiId }) => ApiId === each.ref);
    if (!stage) throw new TemplateError(`${each.logicalId} (${each.type}) has no stage $default.`);
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stage.DefaultRouteSettings;
    return {
      id: each.ref,
      name: apiNameOf(Name),
      cors: CorsConfiguration,
      throttle: rate !== undefined && burst !== undefined ? { rate, burst } : undefined,
      bodyLimit: stage.StageVariables.bodyLimit,
      hasHeadChecks: stage.StageVariables.headChecks === 'yes',
      routes: routes
        .filter(({ ApiId }) => ApiId === each.ref)
        .map(({ RouteKey: key, integration }) => {
          const common = { key, timeoutMs: INTEGRATION_TIMEOUT_MS, sourceArn: arnOfRoute(each.ref, key) };
          const functionName = functionNameOf(integration.IntegrationUri);
          const url = urls.find((of) => codes.get(of.functionName) === codes.get(functionName));
          return {
            ...common,
            functionName,
            isUrl: false,
            ...(url && { streamed: { ...common, ...url, isUrl: true } }),
          };
        }),
    };
  });
}

/** `arn:…:{api}/{stage}/{method}{path}`. `$default` is a path; `*` stands for the method `ANY`. */
function arnOfRoute(apiId: string, key: string): string {
  const [method = '', path] = key.split(' ');
  const resource = path === undefined ? '*/$default' : `${method === 'ANY' ? '*' : method}${path}`;
  return arn('execute-api', `${apiId}/$default/${resource}`);
}
