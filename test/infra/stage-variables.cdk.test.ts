import { expect, test } from 'vitest';
import { readSettings } from '../../bin/settings.ts';
import { stageVariables, withStageVariables } from '../../infra/stage-variables.ts';
import { templateWithoutCode } from '../support/stack.ts';

const defaults = readSettings({}).stage;
const changed = readSettings({
  ALLOW_PRIVATE_NETWORK: '0',
  NETWORK_ALLOW_LIST: '10.0.0.0/8, fd00::/8',
  LOG_LEVEL: 'debug',
  NPM_REGISTRY: 'https://registry.example/',
  COMPONENT_HOSTS: '{"raw.githubusercontent.com": "https://mirror.example"}',
  RUNNER_HOSTS: '{"*": "proxy.example:8080"}',
  STORED_BYTES: '1000',
}).stage;

test('a template that gets the settings of a start later is the one that is synthesised with them', () => {
  const template = templateWithoutCode(defaults);
  const before = structuredClone(template);
  expect(withStageVariables(template, changed)).toEqual(templateWithoutCode(changed));
  expect(template, 'the template itself is left as it was').toEqual(before);
});

test('each of these settings has a value of its own', () => {
  const [before, after] = [stageVariables(defaults), stageVariables(changed)];
  expect(Object.keys(after).filter((name) => Reflect.get(before, name) === Reflect.get(after, name))).toEqual([]);
});
