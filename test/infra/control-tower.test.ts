import { describe, expect, test } from 'vitest';
import { readStage } from '../../infra/read-stage.ts';
import { pageOf, refusedBy, rules } from '../support/control-tower.ts';
import { tableIn } from '../support/doc-table.ts';
import { templateWithoutCode } from '../support/stack.ts';

const documented = tableIn('docs/deploy.md', 'Rules of an organisation').map(
  ([rule = '', stages = '', reason = '']) => ({
    id: /^`([\w.]+)`$/.exec(rule)?.[1] ?? rule,
    stages: [...stages.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    reason,
  }),
);

describe.each(['governed', 'prod'])('the template of the stage %s', (name) => {
  const refused = refusedBy(templateWithoutCode(readStage(name)));

  test('is refused by no rule of Control Tower but those that docs/deploy.md explains', () => {
    const explained = documented.filter(({ stages }) => stages.includes(name)).map(({ id }) => id);
    expect([...refused.keys()].sort()).toEqual(explained.sort());
  });

  test('has no function that everybody may call', () => {
    for (const id of ['CT.LAMBDA.PR.2', 'CT.LAMBDA.PR.5', 'CT.LAMBDA.PR.6']) expect(refused.get(id)).toBeUndefined();
  });

  test('has a dead-letter queue for every queue that is none itself', () => {
    expect(refused.get('CT.SQS.PR.1')?.filter((id) => !id.includes('DeadLetters'))).toEqual([]);
  });
});

test('docs/deploy.md gives a reason for each rule, with the page of the rule', () => {
  expect(documented.length).toBeGreaterThan(4);
  for (const { id, reason } of documented) {
    expect(Object.keys(rules)).toContain(id);
    expect(reason).toContain(pageOf(id));
    expect(reason.length).toBeGreaterThan(120);
  }
});

test('a public function URL is refused by the rules that forbid it', () => {
  const refused = refusedBy(templateWithoutCode({ live: 'public' }));
  expect(['CT.LAMBDA.PR.2', 'CT.LAMBDA.PR.5', 'CT.LAMBDA.PR.6'].map((id) => refused.get(id)?.length)).toEqual([
    2, 1, 1,
  ]);
});
