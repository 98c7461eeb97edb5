import { expect, test } from 'vitest';
import { shownValues } from '../../../../../bin/tributary/output/source-columns.ts';

test('values of secret props, and of props that code added, are hidden', () => {
  const props = [
    { name: 'url', type: 'string' },
    { name: 'token', type: 'string', secret: true },
  ];
  expect(shownValues({ url: 'https://a.example', token: 'hunter2', added: 'hunter3' }, props)).toEqual({
    url: 'https://a.example',
    token: '(hidden)',
    added: '(hidden)',
  });
});
