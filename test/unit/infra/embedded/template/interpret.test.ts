import { describe, expect, test } from 'vitest';
import { interpret } from '../../../../../infra/embedded/template/interpret.ts';

const origins = { api: 'http://here:1', ingress: 'http://here:2' };
const queue = (properties: object = {}, more: object = {}) => ({
  Type: 'AWS::SQS::Queue',
  Properties: properties,
  ...more,
});
const group = (Name: unknown) => ({ Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name } });
const read = (resources: object, sections: object = {}) =>
  interpret({ Resources: resources, ...sections }, { origins });
const outputOf = (value: unknown, resources: object = {}) =>
  interpret({ Resources: resources, Outputs: { Out: { Value: value } } }, { origins }).outputs['Out'];

describe('intrinsics', () => {
  test('Ref has the value of AWS: the name of a table, the URL of a queue', () => {
    expect(outputOf({ Ref: 'Things' }, { Things: { Type: 'AWS::DynamoDB::GlobalTable' } })).toBe('Things');
    expect(outputOf({ Ref: 'Work' }, { Work: queue({ FifoQueue: true }) })).toBe(
      'https://sqs.us-east-1.amazonaws.com/000000000000/Work.fifo',
    );
  });

  test('the logical id is the default name of a resource', () => {
    expect(outputOf({ 'Fn::GetAtt': ['Work', 'QueueName'] }, { Work: queue() })).toBe('Work');
  });

  test('Fn::GetAtt has two spellings', () => {
    const arn = 'arn:aws:sqs:us-east-1:000000000000:Work';
    expect(outputOf({ 'Fn::GetAtt': ['Work', 'Arn'] }, { Work: queue() })).toBe(arn);
    expect(outputOf({ 'Fn::GetAtt': 'Work.Arn' }, { Work: queue() })).toBe(arn);
  });

  test('Fn::Join and Fn::Sub join names, with and without variables', () => {
    const resources = { Work: queue() };
    expect(outputOf({ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 1]] })).toBe('a-us-east-1-1');
    expect(outputOf({ 'Fn::Sub': '${Work.QueueName}/${AWS::AccountId}/${!literal}' }, resources)).toBe(
      'Work/000000000000/${literal}',
    );
    expect(outputOf({ 'Fn::Sub': ['${mine}-${Work.Arn}', { mine: { Ref: 'AWS::Partition' } }] }, resources)).toBe(
      'aws-arn:aws:sqs:us-east-1:000000000000:Work',
    );
  });

  test('AWS::NoValue removes the property', () => {
    const { resources } = read({ Work: queue({ FifoQueue: { Ref: 'AWS::NoValue' }, VisibilityTimeout: 5 }) });
    expect(resources[0]?.properties).toEqual({ VisibilityTimeout: 5 });
  });

  test('a name may contain names of other resources, in any order', () => {
    const resources = { First: group({ 'Fn::Sub': '${Second}-own' }), Second: group('b') };
    expect(outputOf({ Ref: 'First' }, resources)).toBe('b-own');
  });

  test('the address of an HTTP API is the origin of its name', () => {
    const api = (Name: string) => ({
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name, ProtocolType: 'HTTP' },
    });
    const addressOf = (name: string) => outputOf({ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, { Api: api(name) });
    expect([addressOf('api'), addressOf('ingress')]).toEqual([origins.api, origins.ingress]);
    expect(() => addressOf('other')).toThrow(
      'An HTTP API has the name other; only those that end in api and ingress have a port.',
    );
  });
});

describe('unknown content stops the start with a sentence that names it', () => {
  test.each([
    [
      'a type',
      () => read({ Mine: { Type: 'AWS::EC2::Instance' } }),
      'Mine has the type AWS::EC2::Instance, which is not interpreted.',
    ],
    [
      'a type named like a method',
      () => read({ Mine: { Type: 'constructor' } }),
      'Mine has the type constructor, which is not interpreted.',
    ],
    [
      'a property',
      () => read({ Work: queue({ Colour: 'red' }) }),
      'Work (AWS::SQS::Queue) has the property Colour, which is not interpreted.',
    ],
    [
      'a nested property',
      () => read({ Work: queue({ RedrivePolicy: { deadLetterTargetArn: 'x', colour: 1 } }) }),
      'Work (AWS::SQS::Queue) has the property RedrivePolicy.colour, which is not interpreted.',
    ],
    [
      'an attribute',
      () => read({ Work: queue({}, { Condition: 'Maybe' }) }),
      'Work (AWS::SQS::Queue) has the attribute Condition, which is not interpreted.',
    ],
    [
      'an intrinsic',
      () => read({ Work: queue({ FifoQueue: { 'Fn::Select': [0, ['a']] } }) }),
      'Work (AWS::SQS::Queue) uses the intrinsic Fn::Select, which is not interpreted.',
    ],
    [
      'a section',
      () => read({}, { Parameters: {} }),
      'The template has the section Parameters, which is not interpreted.',
    ],
    [
      'an attribute of GetAtt',
      () => outputOf({ 'Fn::GetAtt': ['Work', 'Colour'] }, { Work: queue() }),
      'the output Out asks for the attribute Colour of Work, which is not interpreted.',
    ],
    ['a reference', () => outputOf({ Ref: 'Gone' }), 'The template refers to Gone, which it lacks.'],
    [
      'a name that contains itself',
      () => read({ Mine: group({ Ref: 'Mine' }) }),
      'The name of Mine depends on itself.',
    ],
  ])('%s', (_what, start, sentence) => {
    expect(start).toThrow(sentence);
  });
});
