import { apiNameOf } from '../api-names.ts';
import { named, type ResourceType } from '../resource-type.ts';

export const api: ResourceType = {
  properties: {
    Name: 'interpreted',
    ProtocolType: 'interpreted',
    'CorsConfiguration.AllowHeaders': 'interpreted',
    'CorsConfiguration.AllowMethods': 'interpreted',
    'CorsConfiguration.AllowOrigins': 'interpreted',
    'CorsConfiguration.ExposeHeaders': 'interpreted',
    'CorsConfiguration.MaxAge': 'interpreted',
    DisableExecuteApiEndpoint: 'without effect here, because the APIs have no names of API Gateway',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId, text, origins }) => ({
    ref: logicalId.toLowerCase(),
    attributes: { ApiEndpoint: origins[apiNameOf(text('Name'))] },
  }),
};

export const stage: ResourceType = {
  properties: {
    ApiId: 'interpreted',
    StageName: 'interpreted',
    AutoDeploy: 'interpreted',
    'DefaultRouteSettings.ThrottlingBurstLimit': 'interpreted',
    'DefaultRouteSettings.ThrottlingRateLimit': 'interpreted',
    'StageVariables.bodyLimit': 'interpreted',
    'StageVariables.headChecks': 'interpreted',
    AccessLogSettings: 'without effect here, because the functions log their requests',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId, text }) => ({ ref: text('StageName') ?? logicalId, attributes: {} }),
};

export const route: ResourceType = {
  properties: {
    ApiId: 'interpreted',
    RouteKey: 'interpreted',
    Target: 'interpreted',
    AuthorizationType: 'interpreted',
  },
  identify: named,
};

export const integration: ResourceType = {
  properties: {
    ApiId: 'interpreted',
    IntegrationType: 'interpreted',
    IntegrationUri: 'interpreted',
    PayloadFormatVersion: 'interpreted',
  },
  identify: named,
};
