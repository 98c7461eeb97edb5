import { apiNameOf } from '../../http-api/api-names.ts';
import { named, type ResourceType } from '../resource-type.ts';

export const api: ResourceType = {
  properties: {
    Name: 'interpreted',
    ProtocolType: 'interpreted',
    'CorsConfiguration.AllowCredentials': 'interpreted',
    'CorsConfiguration.AllowHeaders': 'interpreted',
    'CorsConfiguration.AllowMethods': 'interpreted',
    'CorsConfiguration.AllowOrigins': 'interpreted',
    'CorsConfiguration.ExposeHeaders': 'interpreted',
    'CorsConfiguration.MaxAge': 'interpreted',
    Description: 'without effect here, because nothing reads it',
    DisableExecuteApiEndpoint: 'without effect here, because each API has one address',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId, text, origins }) => ({
    ref: logicalId.toLowerCase(),
    attributes: { ApiId: logicalId.toLowerCase(), ApiEndpoint: origins[apiNameOf(text('Name'))] },
  }),
};

export const stage: ResourceType = {
  properties: {
    ApiId: 'interpreted',
    StageName: 'interpreted',
    AutoDeploy: 'interpreted',
    'DefaultRouteSettings.ThrottlingBurstLimit': 'interpreted',
    'DefaultRouteSettings.ThrottlingRateLimit': 'interpreted',
    'DefaultRouteSettings.DetailedMetricsEnabled': 'without effect here, because there are no metrics',
    'StageVariables.bodyLimit': 'interpreted',
    AccessLogSettings: 'without effect here, because the functions log their requests',
    Description: 'without effect here, because nothing reads it',
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
    TimeoutInMillis: 'interpreted',
    Description: 'without effect here, because nothing reads it',
  },
  identify: named,
};
