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

const governed = readStage('governed');
const stages = { governed, prod: readStage('prod'), signed: { ...governed, live: 'signed' as const } };

describe.each(Object.entries(stages))('the template of the stage %s', (name, stage) => {
  const refused = refusedBy(templateWithoutCode(stage));

  test('is refused by no rule of Control Tower but those that docs/deploy.md explains', () => {
    const explained = documented.filter((rule) => rule.stages.includes(name)).map(({ id }) => id);
    expect([...refused.keys()].sort()).toEqual(explained.sort());
  });

  test('has no function that everybody may call', () => {
    for (const id of ['CT.LAMBDA.PR.2', 'CT.LAMBDA.PR.5', 'CT.LAMBDA.PR.6']) expect(refused.get(id)).toBeUndefined();
  });

  test('has a dead-letter queue for every queue with work', () => {
    expect(refused.get('CT.SQS.PR.1')?.filter((id) => !/DeadLetters|^Heartbeat/.test(id))).toEqual([]);
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
