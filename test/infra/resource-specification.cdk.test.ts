import { describe, expect, test } from 'vitest';
import { readStage } from '../../infra/read-stage.ts';
import { tableIn } from '../support/doc-table.ts';
import { problemsOf, propertiesThatReplace } from '../support/resource-specification.ts';
import { templateWithoutCode } from '../support/stack.ts';
import { resourcesOf, type Template } from '../support/template.ts';

const adopt = {
  table: 'Tributary-EventsTable-1',
  bucket: 'tributary-objectsbucket-1',
  keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1',
};
const [dev, prod] = [templateWithoutCode(readStage('dev')), templateWithoutCode(readStage('prod'))];
const templates: [string, Template][] = [
  ['dev', dev],
  ['prod', prod],
  ['governed', templateWithoutCode(readStage('governed'))],
  ['signed', templateWithoutCode({ live: 'signed' })],
  ['adopting', templateWithoutCode({ adopt, alarmTopicArn: 'arn:aws:sns:eu-west-1:111122223333:mine' })],
];

/** Resources whose replacement would lose data. */
const STATEFUL = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
  'AWS::Scheduler::ScheduleGroup',
];
const statefulOf = ({ Resources }: Template) =>
  Object.entries(Resources).filter(([, { Type }]) => STATEFUL.includes(Type));

/** The properties that resources of a type have in the template. */
const namesOf = (type: string) =>
  [...new Set(resourcesOf(prod, type).flatMap(([, { Properties }]) => Object.keys(Properties)))].sort();

describe("AWS's specification of CloudFormation resources", () => {
  test.each(templates)('allows every type, property and value of the template of the stage %s', (_name, template) => {
    expect(Object.keys(template.Resources).length).toBeGreaterThan(50);
    expect(problemsOf(template)).toEqual([]);
  });

  test.each([
    ['a type', { Type: 'AWS::SQS::Topic' }, 'Made has the type AWS::SQS::Topic, which does not exist.'],
    ['a property', { QueueNames: 'a' }, 'Made (AWS::SQS::Queue) has no QueueNames.'],
    ['a type of a value', { DelaySeconds: '5' }, 'Made (AWS::SQS::Queue).DelaySeconds must be integer, not "5".'],
    [
      'an enumerated value',
      { DeduplicationScope: 'group' },
      'Made (AWS::SQS::Queue).DeduplicationScope must be messageGroup, queue, not group.',
    ],
    [
      'an enumerated value of a service',
      { Type: 'AWS::Lambda::Function', Role: 'a', Code: { ZipFile: 'b' }, Architectures: ['arm'] },
      'Made (AWS::Lambda::Function).Architectures must be arm64, x86_64, not arm.',
    ],
    [
      'a missing property',
      { Type: 'AWS::KMS::Alias', AliasName: 'alias/a' },
      'Made (AWS::KMS::Alias) lacks TargetKeyId, which is required.',
    ],
    [
      'a property of a property',
      { Type: 'AWS::Lambda::Function', Role: 'a', Code: { S3Bucket: 'a', S3Key: 'b', Zip: 'c' } },
      'Made (AWS::Lambda::Function).Code has no Zip.',
    ],
  ])(
    'refuses %s that it does not know',
    (_what, { Type = 'AWS::SQS::Queue', ...Properties }: Record<string, unknown>, problem) => {
      expect(problemsOf({ Resources: { Made: { Type: String(Type), Properties } }, Outputs: {} })).toEqual([problem]);
    },
  );
});

describe('changes that replace a resource with data', () => {
  test('are listed in docs/stages.md', () => {
    const found = STATEFUL.map((type) => [type, propertiesThatReplace(type, namesOf(type))]);
    const listed = tableIn('docs/stages.md', 'Changes that replace data').map(([type = '', names = '']) => [
      type.replaceAll('`', ''),
      names.match(/(?<=`)\w+(?=`)/g) ?? [],
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(found));
  });

  test('come from no setting of a stage', () => {
    const fixed = (template: Template) =>
      statefulOf(template).map(([id, { Type, Properties }]) => [
        id,
        propertiesThatReplace(Type, Object.keys(Properties)).map((name) => Properties[name]),
      ]);
    expect(fixed(dev)).toEqual(fixed(prod));
  });
});
