import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { templateWithoutCode } from '../support/stack.ts';
import { resourcesOf } from '../support/template.ts';

describe('the stage setting `targets`', () => {
  const bus = 'arn:aws:events:eu-west-1:111122223333:event-bus/orders';
  const queues = 'arn:aws:sqs:eu-west-1:*:shop-*';
  const role = 'arn:aws:iam::444455556666:role/tributary-*';

  interface Statement {
    Action: string;
    Resource: unknown;
  }
  const statementsOf = (targets: string[]) =>
    resourcesOf(templateWithoutCode({ targets }), 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
      ((Properties['Policies'] ?? []) as { PolicyDocument: { Statement: Statement[] } }[]).flatMap((policy) =>
        policy.PolicyDocument.Statement.map(({ Action, Resource }) => ({
          role: id.replace(/Role.*$/, ''),
          Action,
          Resource,
        })),
      ),
    );

  test('lets the functions that deliver call these ARNs, and no other function and no other ARN', () => {
    const without = new Set(statementsOf([]).map((statement) => JSON.stringify(statement)));
    const added = statementsOf([bus, queues, role]).filter((statement) => !without.has(JSON.stringify(statement)));
    expect(added).toEqual(
      ['webhooks', 'DeliverEvent', 'RetryDelivery'].flatMap((name) => [
        { role: expect.stringMatching(new RegExp(name, 'i')) as unknown, Action: 'events:PutEvents', Resource: bus },
        { role: expect.stringMatching(new RegExp(name, 'i')) as unknown, Action: 'sqs:SendMessage', Resource: queues },
        { role: expect.stringMatching(new RegExp(name, 'i')) as unknown, Action: 'sts:AssumeRole', Resource: role },
      ]),
    );
  });

  test('is what the functions check, with all queues of the stack', () => {
    const template = templateWithoutCode({ targets: [bus, role] });
    const checked = resourcesOf(template, 'AWS::Lambda::Function')
      .map(
        ([, { Properties }]) =>
          (Properties['Environment'] as { Variables?: Record<string, unknown> } | undefined)?.Variables,
      )
      .filter((variables) => variables !== undefined && 'TARGETS' in variables);
    expect(checked).toHaveLength(3);
    const ids = resourcesOf(template, 'AWS::SQS::Queue').map(([id]) => id);
    for (const variables of checked) {
      expect(variables?.['TARGETS']).toBe(`${bus},${role}`);
      const text = JSON.stringify(variables?.['OWN_QUEUES']);
      expect(ids.filter((id) => !text.includes(`"${id}"`))).toEqual([]);
    }
  });
});

describe('the examples of docs/targets.md', () => {
  const page = readFileSync('docs/targets.md', 'utf8');
  /** The code of a section. */
  const codeOf = (heading: string): string => {
    const section = page.split(/^##+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? expect.fail(heading);
    return /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? expect.fail(`${heading} has no code`);
  };

  /** The template of a stack with the code of these sections. */
  function synthesised(...headings: string[]): Template {
    const lines = headings.flatMap((heading) => codeOf(heading).split('\n'));
    const [imports, rest] = [true, false].map((isImport) =>
      lines.filter((line) => line.startsWith('import ') === isImport).join('\n'),
    );
    const contents = `${imports}\nexport const add = (stack: Stack) => {${rest}};`;
    const options = { format: 'cjs', packages: 'external', write: false } as const;
    const { outputFiles } = buildSync({ stdin: { contents, loader: 'ts' }, ...options });
    const module = { exports: {} as { add(stack: Stack): void } };
    const run = runInThisContext(`(module, require) => {${outputFiles[0]?.text ?? ''}}`) as (...all: unknown[]) => void;
    run(module, createRequire(import.meta.url));
    const stack = new Stack(new App({ analyticsReporting: false }), 'Shop');
    module.exports.add(stack);
    return Template.fromStack(stack);
  }

  test.each([
    ['Step Functions', 'AWS::StepFunctions::StateMachine', 1],
    ['Lambda', 'AWS::Lambda::Function', 1],
    ['Kinesis', 'AWS::Kinesis::Stream', 1],
  ])('%s: a rule of the bus leads there', (heading, type, count) => {
    const template = synthesised('Examples', heading);
    template.resourceCountIs(type, count);
    template.hasResourceProperties('AWS::Events::EventBus', { Name: 'orders' });
    const [rule] = Object.values(template.findResources('AWS::Events::Rule'));
    const [id = ''] = Object.keys(template.findResources(type));
    expect(rule?.['Properties']).toMatchObject({ EventPattern: { source: ['tributary'] } });
    expect(JSON.stringify(rule?.['Properties'].Targets)).toContain(`"${id}"`);
  });

  test('a consumer takes the messages of its queue', () => {
    const template = synthesised('Examples', 'A consumer of a queue');
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    template.hasResourceProperties('AWS::SQS::Queue', { QueueName: 'shop-orders', VisibilityTimeout: 60 });
  });

  test('a role of another account wants the external id', () => {
    synthesised('Another account').hasResourceProperties('AWS::IAM::Role', {
      RoleName: 'tributary-orders',
      AssumeRolePolicyDocument: {
        Statement: [{ Condition: { StringEquals: { 'sts:ExternalId': 'u_0mvx3k2p9a1b2c3d4e5f6g7h' } } }],
      },
    });
  });
});
