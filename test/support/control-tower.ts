import type { Resource, Template } from './template.ts';

type Properties = Record<string, unknown>;
interface Rule {
  type: string;
  passes: (properties: Properties) => boolean;
}

const REFERENCE = 'https://docs.aws.amazon.com/controltower/latest/controlreference';
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const has = (...names: string[]) => ({ passes: (each: Properties) => names.every((name) => each[name] !== undefined) });
const statementsOf = (policy: unknown) => [member(policy, 'Statement')].flat();

/** The text of the statement that CT.KMS.PR.3 looks for. */
const GRANTS = JSON.stringify({ 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' });
const refusesGrants = (statement: unknown) =>
  member(statement, 'Effect') === 'Deny' &&
  JSON.stringify(member(member(statement, 'Condition'), 'BoolIfExists')) === GRANTS;

const isEncrypted = (properties: Properties, algorithm: string) =>
  JSON.stringify(properties['BucketEncryption'] ?? {}).includes(`"SSEAlgorithm":"${algorithm}`);
const isBlocked = ({ PublicAccessBlockConfiguration: block }: Properties) =>
  ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'].every(
    (name) => member(block, name) === true,
  );
const allowsAll = (statement: unknown) =>
  member(statement, 'Effect') === 'Allow' &&
  [member(statement, 'Action')].flat().includes('*') &&
  [member(statement, 'Resource')].flat().includes('*');

/** CT.CLOUDFRONT rules read the configuration of a distribution. */
const distribution = (passes: (config: unknown) => boolean): Rule => ({
  type: 'AWS::CloudFront::Distribution',
  passes: ({ DistributionConfig }) => passes(DistributionConfig),
});
const certificateOf = (config: unknown) => member(config, 'ViewerCertificate');
const originsOf = (config: unknown) =>
  [member(config, 'Origins')].flat().map((origin) => member(origin, 'CustomOriginConfig'));

/**
 * The proactive controls of AWS Control Tower for the types of this stack's resources, written after the guard rules
 * that their pages show. Values that only a deployment has count as given.
 */
export const rules: Readonly<Record<string, Rule>> = {
  'CT.APIGATEWAY.PR.4': { type: 'AWS::ApiGatewayV2::Stage', ...has('AccessLogSettings') },
  'CT.APIGATEWAY.PR.5': {
    type: 'AWS::ApiGatewayV2::Route',
    passes: ({ AuthorizationType: type = 'NONE' }) => type !== 'NONE',
  },
  'CT.CLOUDFRONT.PR.1': distribution((config) => Boolean(member(config, 'DefaultRootObject'))),
  'CT.CLOUDFRONT.PR.3': distribution((config) =>
    ['https-only', 'redirect-to-https'].includes(
      String(member(member(config, 'DefaultCacheBehavior'), 'ViewerProtocolPolicy')),
    ),
  ),
  'CT.CLOUDFRONT.PR.4': distribution((config) => member(config, 'OriginGroups') !== undefined),
  'CT.CLOUDFRONT.PR.5': distribution((config) => member(member(config, 'Logging'), 'Bucket') !== undefined),
  'CT.CLOUDFRONT.PR.6': distribution((config) => member(certificateOf(config), 'AcmCertificateArn') !== undefined),
  'CT.CLOUDFRONT.PR.7': distribution((config) => member(certificateOf(config), 'SslSupportMethod') === 'sni-only'),
  'CT.CLOUDFRONT.PR.8': distribution((config) =>
    originsOf(config).every((origin) => member(origin, 'OriginProtocolPolicy') === 'https-only'),
  ),
  'CT.CLOUDFRONT.PR.9': distribution((config) =>
    /^TLSv1\.[23]/.test(String(member(certificateOf(config), 'MinimumProtocolVersion'))),
  ),
  'CT.CLOUDFRONT.PR.11': distribution((config) =>
    originsOf(config).every((origin) => JSON.stringify(member(origin, 'OriginSSLProtocols')) === '["TLSv1.2"]'),
  ),
  'CT.CLOUDWATCH.PR.1': { type: 'AWS::CloudWatch::Alarm', ...has('AlarmActions') },
  'CT.CLOUDWATCH.PR.2': {
    type: 'AWS::Logs::LogGroup',
    passes: ({ RetentionInDays: days }) => Number(days) >= 365,
  },
  'CT.CLOUDWATCH.PR.3': { type: 'AWS::Logs::LogGroup', ...has('KmsKeyId') },
  'CT.IAM.PR.1': {
    type: 'AWS::IAM::Role',
    passes: ({ Policies: policies = [] }) =>
      ![policies].flat().some((policy) => statementsOf(member(policy, 'PolicyDocument')).some(allowsAll)),
  },
  'CT.KMS.PR.1': { type: 'AWS::KMS::Key', passes: ({ EnableKeyRotation }) => EnableKeyRotation === true },
  'CT.KMS.PR.3': { type: 'AWS::KMS::Key', passes: ({ KeyPolicy }) => statementsOf(KeyPolicy).some(refusesGrants) },
  'CT.LAMBDA.PR.2': {
    type: 'AWS::Lambda::Permission',
    passes: ({ FunctionUrlAuthType, SourceAccount, SourceArn, PrincipalOrgID }) =>
      FunctionUrlAuthType !== 'NONE' && (SourceAccount ?? SourceArn ?? PrincipalOrgID) !== undefined,
  },
  'CT.LAMBDA.PR.3': { type: 'AWS::Lambda::Function', ...has('VpcConfig') },
  'CT.LAMBDA.PR.5': { type: 'AWS::Lambda::Url', passes: ({ AuthType }) => AuthType === 'AWS_IAM' },
  'CT.LAMBDA.PR.6': {
    type: 'AWS::Lambda::Url',
    passes: ({ Cors }) => ![member(Cors, 'AllowOrigins')].flat().some((origin) => String(origin).includes('*')),
  },
  'CT.S3.PR.1': { type: 'AWS::S3::Bucket', passes: isBlocked },
  'CT.S3.PR.2': { type: 'AWS::S3::Bucket', ...has('LoggingConfiguration') },
  'CT.S3.PR.4': { type: 'AWS::S3::Bucket', ...has('NotificationConfiguration') },
  'CT.S3.PR.6': { type: 'AWS::S3::Bucket', ...has('LifecycleConfiguration') },
  'CT.S3.PR.9': { type: 'AWS::S3::Bucket', ...has('ObjectLockConfiguration') },
  'CT.S3.PR.10': { type: 'AWS::S3::Bucket', passes: (bucket) => isEncrypted(bucket, 'aws:kms') },
  'CT.SQS.PR.1': { type: 'AWS::SQS::Queue', ...has('RedrivePolicy') },
  'CT.SQS.PR.2': {
    type: 'AWS::SQS::Queue',
    passes: ({ SqsManagedSseEnabled, KmsMasterKeyId }) => (SqsManagedSseEnabled ?? KmsMasterKeyId) !== undefined,
  },
};

const PAGES = { APIGATEWAY: 'api-gateway', CLOUDFRONT: 'cloudfront', CLOUDWATCH: 'cloudwatch', IAM: 'iam', KMS: 'kms' };

/** The page with the guard rule of a control. */
export function pageOf(id: string): string {
  const [, service = ''] = id.split('.');
  const name: unknown = Reflect.get(PAGES, service);
  return `${REFERENCE}/${typeof name === 'string' ? name : service.toLowerCase()}-rules.html#${id.toLowerCase().replaceAll('.', '-')}-description`;
}

/** The resources of a template that a control refuses, by its id. */
export function refusedBy({ Resources }: Template): Map<string, string[]> {
  const ofType = (type: string) => Object.entries<Resource>(Resources).filter(([, { Type }]) => Type === type);
  const refused = Object.entries(rules).map(([id, { type, passes }]): [string, string[]] => [
    id,
    ofType(type).flatMap(([name, { Properties = {} }]) => (passes(Properties) ? [] : [name])),
  ]);
  return new Map(refused.filter(([, names]) => names.length > 0));
}
