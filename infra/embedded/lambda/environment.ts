import type { ServicePorts } from '../isolation/spawner-messages.ts';
import { region } from '../template/resource-type.ts';
import { type Credentials, credentialVariables } from './credentials.ts';
import type { FunctionSpec } from './function-spec.ts';
import { LOG_STREAM } from './invocation.ts';

/**
 * The environment of a function.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function environmentOf(
  { name, memoryMb, handler, logGroup, environment }: FunctionSpec,
  {
    folder,
    credentials,
    s3Endpoint,
    ports,
  }: { folder: string; credentials: Credentials; s3Endpoint: string; ports: ServicePorts },
): Record<string, string> {
  return {
    _HANDLER: `${handler.module}.${handler.name}`,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0] ?? ''}.x`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: LOG_STREAM,
    AWS_REGION: region,
    LAMBDA_TASK_ROOT: folder,
    LANG: 'en_US.UTF-8',
    PATH: process.env['PATH'] ?? '',
    TZ: ':UTC',
    ...networkVariables(),
    ...credentialVariables(credentials),
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    OWN_PORTS: ports.ownPorts.join(','),
    OPEN_PORTS: ports.openPorts.join(','),
    ...environment,
  };
}

const NETWORK_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

/** Certificates and proxies of this machine: without them a function may reach no other machine. */
function networkVariables(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of NETWORK_VARIABLES) {
    const value = process.env[name] ?? process.env[name.toLowerCase()];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}
