import { describe, expect, test } from 'vitest';
import { templateWithoutCode } from '../support/stack.ts';
import { resourcesOf, type Template } from '../support/template.ts';

const created = templateWithoutCode({ network: { vpc: 'new' } });
const existing = templateWithoutCode({
  network: {
    vpc: 'vpc-0123456789abcdef0',
    subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    addresses: ['198.51.100.7', '198.51.100.8'],
  },
});

const theOnly = (template: Template, type: string) => {
  const [found = expect.fail(`no ${type}`), ...others] = resourcesOf(template, type);
  expect(others).toEqual([]);
  return found;
};
const functionsOf = (template: Template) => resourcesOf(template, 'AWS::Lambda::Function');
const variablesOf = (template: Template, id: RegExp) => {
  const [, { Properties }] = functionsOf(template).find(([name]) => id.test(name)) ?? expect.fail(`no ${id}`);
  return (Properties.Environment as { Variables: Record<string, unknown> }).Variables;
};
const connected = (template: Template) =>
  functionsOf(template)
    .filter(([, { Properties }]) => Properties.VpcConfig !== undefined)
    .map(([id]) => id.replace(/(Function)?[0-9A-F]{8}.*$/, '').replace(/Function$/, ''))
    .sort();

describe.each([
  ['a new network', created],
  ['an existing network', existing],
])('the functions that connect to receivers, in %s', (_name, template) => {
  test('are those of deliveries, their repetitions and tests, and of components', () => {
    expect(connected(template)).toEqual(['DeliverEvent', 'RetryDelivery', 'Runner', 'Webhooks']);
  });

  test('have a security group without ingress', () => {
    const [id, { Properties }] = theOnly(template, 'AWS::EC2::SecurityGroup');
    expect(Properties.SecurityGroupIngress).toBeUndefined();
    expect(resourcesOf(template, 'AWS::EC2::SecurityGroupIngress')).toEqual([]);
    for (const [, fn] of functionsOf(template).filter(([, { Properties: own }]) => own.VpcConfig !== undefined))
      expect(fn.Properties.VpcConfig).toMatchObject({ SecurityGroupIds: [{ 'Fn::GetAtt': [id, 'GroupId'] }] });
  });

  test('may create network interfaces by Lambda only, not by their code', () => {
    const texts = Object.values(template.Resources)
      .flatMap(({ Properties }) => (Properties.Policies ?? []) as { PolicyDocument: { Statement: object[] } }[])
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter((statement) => JSON.stringify(statement).includes('ec2:'));
    expect(texts).toHaveLength(4);
    for (const text of texts)
      expect(text).toMatchObject({ Condition: { Null: { 'lambda:SourceFunctionArn': 'true' } } });
  });
});

test('a new network has one NAT gateway, whose elastic address is the output and what the API shows', () => {
  const [address] = theOnly(created, 'AWS::EC2::EIP');
  const [, gateway] = theOnly(created, 'AWS::EC2::NatGateway');
  expect(gateway.Properties.AllocationId).toEqual({ 'Fn::GetAtt': [address, 'AllocationId'] });
  expect(created.Outputs).toMatchObject({ DeliveryAddresses: { Value: { Ref: address } } });
  expect(variablesOf(created, /^Webhooks/)['DELIVERY_ADDRESSES']).toEqual({ Ref: address });
  const routes = resourcesOf(created, 'AWS::EC2::Route').filter(([, { Properties }]) => Properties.NatGatewayId);
  expect(routes).toHaveLength(2);
  expect(resourcesOf(created, 'AWS::EC2::VPCEndpoint')).toHaveLength(2);
});

test('an existing network gets nothing but the security group, and its addresses are those of the stage', () => {
  const own = Object.values(existing.Resources).filter(({ Type }) => Type.startsWith('AWS::EC2::'));
  expect(own.map(({ Type }) => Type)).toEqual(['AWS::EC2::SecurityGroup']);
  expect(existing.Outputs).toMatchObject({ DeliveryAddresses: { Value: '198.51.100.7,198.51.100.8' } });
});

test('a stage without a network has none, and says so', () => {
  const template = templateWithoutCode();
  expect(Object.values(template.Resources).filter(({ Type }) => Type.startsWith('AWS::EC2::'))).toEqual([]);
  expect(connected(template)).toEqual([]);
  expect(template.Outputs).not.toHaveProperty('DeliveryAddresses');
  expect(variablesOf(template, /^Webhooks/)['DELIVERY_ADDRESSES']).toBe('');
});
