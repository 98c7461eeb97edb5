import { describe, expect, test } from 'vitest';
import { interpret } from '../../../../../infra/embedded/template/interpret.ts';

const publicUrl = 'http://here:1';
const queue = (properties: object = {}, more: object = {}) => ({
  Type: 'AWS::SQS::Queue',
  Properties: properties,
  ...more,
});
const read = (resources: object, sections: object = {}) =>
  interpret({ Resources: resources, ...sections }, { publicUrl });
const outputOf = (value: unknown, resources: object = {}) =>
  interpret({ Resources: resources, Outputs: { Out: { Value: value } } }, { publicUrl }).outputs['Out'];

describe('intrinsics', () => {
  test('Ref gives what AWS gives: the name of a table, the address of a queue', () => {
    const table = { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'things' } };
    expect(outputOf({ Ref: 'Things' }, { Things: table })).toBe('things');
    expect(outputOf({ Ref: 'Work' }, { Work: queue({ FifoQueue: true }) })).toBe(
      'https://sqs.us-east-1.amazonaws.com/000000000000/Work.fifo',
    );
  });

  test('a resource without a name is called by its logical id', () => {
    expect(outputOf({ 'Fn::GetAtt': ['Work', 'QueueName'] }, { Work: queue() })).toBe('Work');
  });

  test('Fn::GetAtt is read in both spellings', () => {
    const arn = 'arn:aws:sqs:us-east-1:000000000000:Work';
    expect(outputOf({ 'Fn::GetAtt': ['Work', 'Arn'] }, { Work: queue() })).toBe(arn);
    expect(outputOf({ 'Fn::GetAtt': 'Work.Arn' }, { Work: queue() })).toBe(arn);
  });

  test('Fn::Join and Fn::Sub put names together, with and without variables of their own', () => {
    const resources = { Work: queue() };
    expect(outputOf({ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 1]] })).toBe('a-us-east-1-1');
    expect(outputOf({ 'Fn::Sub': '${Work.QueueName}/${AWS::AccountId}/${!literal}' }, resources)).toBe(
      'Work/000000000000/${literal}',
    );
    expect(
      outputOf({ 'Fn::Sub': ['${mine}-${Work.Arn}', { mine: { Ref: 'AWS::Partition' } }] }, resources),
    ).toBe('aws-arn:aws:sqs:us-east-1:000000000000:Work');
  });

  test('AWS::NoValue takes the property away', () => {
    const { resources } = read({ Work: queue({ QueueName: { Ref: 'AWS::NoValue' }, DelaySeconds: 5 }) });
    expect(resources[0]?.properties).toEqual({ DelaySeconds: 5 });
  });

  test('a name may be made of the names of others, in any order', () => {
    const first = queue({ QueueName: { 'Fn::Sub': '${Second.QueueName}-dead' } });
    expect(
      outputOf({ 'Fn::GetAtt': ['First', 'QueueName'] }, { First: first, Second: queue({ QueueName: 'b' }) }),
    ).toBe('b-dead');
  });

  test('the address of an HTTP API is the one that this machine is reached by', () => {
    const api = { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'a', ProtocolType: 'HTTP' } };
    expect(outputOf({ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, { Api: api })).toBe(publicUrl);
  });
});

describe('what is not known stops the start with a sentence that names it', () => {
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
      () => read({ Work: queue({ QueueName: { 'Fn::Select': [0, ['a']] } }) }),
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
      'a name made of itself',
      () => read({ Work: queue({ QueueName: { Ref: 'Work' } }) }),
      'The name of Work depends on itself.',
    ],
  ])('%s', (_what, start, sentence) => {
    expect(start).toThrow(sentence);
  });
});
