import { expect, test } from 'vitest';
import { problemsOf } from '../support/resource-specification.ts';
import { templateWithoutCode } from '../support/stack.ts';
import { resourcesOf, type Template } from '../support/template.ts';

const [without, template] = [templateWithoutCode(), templateWithoutCode({ canaryMinutes: 5 })];
const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
/** Ids of the functions that API Gateway invokes, without aliases. */
const invoked = (of: Template) =>
  resourcesOf(of, 'AWS::ApiGatewayV2::Integration').flatMap(([, { Properties }]) =>
    Properties['IntegrationType'] === 'AWS_PROXY' ? [Properties['IntegrationUri']] : [],
  );
const rolling = resourcesOf(template, 'AWS::CloudWatch::Alarm')
  .map(([id]) => id)
  .filter((id) => /^Alarms(?:API|Endpoints)Errors/.test(id));

test('all requests reach a new release at once by default: no function has a version', () => {
  for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup'])
    expect(resourcesOf(without, type), type).toEqual([]);
});

test('with canaryMinutes, API Gateway invokes the aliases of ingress and API, and may invoke nothing else', () => {
  expect(invoked(template).length).toBeGreaterThan(8);
  expect(invoked(template)).toHaveLength(invoked(without).length);
  const references = aliases.map(([id]) => ({ Ref: id }));
  for (const target of invoked(template)) expect(references).toContainEqual(target);
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Permission'))
    if (Properties['Principal'] === 'apigateway.amazonaws.com')
      expect(references, id).toContainEqual(Properties['FunctionName']);
});

test('CodeDeploy sends a tenth of the requests to a new version for so many minutes, unless requests fail', () => {
  expect(rolling).toHaveLength(2);
  for (const [id, { UpdatePolicy }] of aliases) {
    const { DeploymentGroupName: group } = (
      UpdatePolicy as { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: string } } }
    ).CodeDeployLambdaAliasUpdate;
    expect(template.Resources[group.Ref]?.Properties, id).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AlarmConfiguration: { Enabled: true, Alarms: rolling.map((Ref) => ({ Name: { Ref } })) },
      AutoRollbackConfiguration: { Enabled: true, Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']) as [] },
    });
  }
  expect(problemsOf(template)).toEqual([]);
});

test('a setting that changes only variables of a function is a new version, too', () => {
  const versions = (of: Template) => resourcesOf(of, 'AWS::Lambda::Version').map(([id]) => id);
  const changed = versions(templateWithoutCode({ canaryMinutes: 5, logLevel: 'debug' }));
  expect(changed).toHaveLength(aliases.length);
  expect(changed.filter((id) => versions(template).includes(id))).toEqual([]);
});

test('the output RollbackOptions names the alarms of failed requests, whose deployment CloudFormation takes back', () => {
  const { Value } = template.Outputs['RollbackOptions'] as { Value: { 'Fn::Join': [string, unknown[]] } };
  const [separator, parts] = Value['Fn::Join'];
  const text = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(separator);
  const arn = (id = '') => `{"Fn::GetAtt":["${id}","Arn"]}`;
  const option = '--rollback-trigger-alarm-arns';
  expect(text).toBe(`${option} ${arn(rolling[0])} ${option} ${arn(rolling[1])} --monitoring-time-minutes 10`);
});
