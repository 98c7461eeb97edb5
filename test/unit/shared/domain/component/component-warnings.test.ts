import { expect, test } from 'vitest';
import { componentWarnings } from '../../../../../shared/domain/component/component-warnings.ts';

const clean = { props: [{ name: 'db', type: '$.service.db' }], hasRun: true, hooks: [], unknownMembers: [] };

test('a component without a slip has none', () => {
  const types = [
    'string[]',
    'integer',
    '$.interface.apphook',
    '$.airtable.baseId',
    '$.discord.channel[]',
    'sql',
    'app',
  ];
  const props = types.map((type) => ({ name: type, type }));
  expect(componentWarnings({ ...clean, props, unknownMembers: ['apps2go', 'helper'] })).toEqual([]);
});

test.each([
  ['strng', 'The prop p has the unknown type "strng"; did you mean "string"?'],
  ['String', 'The prop p has the unknown type "String"; did you mean "string"?'],
  ['$.interface.htpp', 'The prop p has the unknown type "$.interface.htpp"; did you mean "$.interface.http"?'],
  ['colour', 'The prop p has the unknown type "colour"; it takes any value.'],
])('an unknown prop type: %s', (type, warning) => {
  expect(componentWarnings({ ...clean, props: [{ name: 'p', type }] })).toEqual([warning]);
});

test('neither run nor hooks', () => {
  expect(componentWarnings({ ...clean, hasRun: false })).toEqual([
    'The component has neither run nor hooks: it only emits what its interfaces receive.',
  ]);
  expect(componentWarnings({ ...clean, hasRun: false, hooks: ['activate'] })).toEqual([]);
});

test.each([
  ['Run', 'run'],
  ['rnu', 'run'],
  ['hook', 'hooks'],
  ['Props', 'props'],
  ['porps', 'props'],
  ['dedup', 'dedupe'],
  ['additionalprops', 'additionalProps'],
])('an unknown member close to a known one: %s', (member, meant) => {
  expect(componentWarnings({ ...clean, unknownMembers: [member] })).toEqual([
    `The component has an unknown member ${member}; did you mean ${meant}?`,
  ]);
});

test('arrow functions and reads of members that the component lacks are warned of', () => {
  const unknownReads = [{ name: 'ulr', meant: 'url' }, { name: 'other' }];
  expect(componentWarnings({ ...clean, arrows: ['run', 'hooks.deploy'], unknownReads })).toEqual([
    'run is an arrow function, in which this is not the component: write run(…) { … }.',
    'hooks.deploy is an arrow function, in which this is not the component: write deploy(…) { … }.',
    'The component reads this.ulr, and has neither a prop nor a method ulr; did you mean this.url?',
    'The component reads this.other, and has neither a prop nor a method other.',
  ]);
});
