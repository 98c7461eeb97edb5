import { describe, expect, test } from 'vitest';
import { missingNames, propValue, propValues } from '../../../../../bin/tributary/input/prop-values.ts';

const readers = {
  readText: (text: string) => Promise.resolve(text),
  accountId: (name: string) => Promise.resolve(`apn_${name}`),
};
const read = (
  props: { name: string; type: string; app?: string; reloadProps?: boolean }[],
  prop: string[],
  account: string[] = [],
) => propValues(props, { prop, account }, readers);

describe('a value is read by its type', () => {
  test.each([
    ['string', ['1'], '1'],
    ['integer', ['-12'], -12],
    ['number', ['-1.5'], -1.5],
    ['boolean', ['false'], false],
    ['string[]', ['a', 'b'], ['a', 'b']],
    ['integer[]', ['1'], [1]],
    ['object', ['{"a":1}'], { a: 1 }],
    ['any', ['[1]'], [1]],
    ['any', ['text'], 'text'],
    ['$.interface.timer', ['900'], { interval_seconds: 900 }],
    ['$.interface.timer', ['*/5 * * * *'], { cron: '*/5 * * * *' }],
    [
      '$.interface.timer',
      ['{"cron":"0 0 * * *","timezone":"Europe/Berlin"}'],
      { cron: '0 0 * * *', timezone: 'Europe/Berlin' },
    ],
  ])('%s %j', (type, texts, value) => {
    expect(propValue({ name: 'p', type }, texts)).toEqual(value);
  });

  test.each([
    ['integer', ['1.5']],
    ['integer', ['99999999999999999999']],
    ['number', ['one']],
    ['number', [' ']],
    ['boolean', ['yes']],
    ['object', ['{']],
    ['$.interface.timer', ['hourly']],
    ['string', ['a', 'b']],
  ])('%s refuses %j and names the prop', (type, texts) => {
    expect(() => propValue({ name: 'limit', type }, texts)).toThrow(/limit/);
  });
});

describe('a text that equals an option or the default is that value, in the type of the prop', () => {
  test.each([
    [{ type: 'string', options: [{ label: 'Off', value: 0 }] }, ['0'], '0'],
    [{ type: 'integer', options: ['all', 5] }, ['all'], 'all'],
    [{ type: 'integer', options: ['all', 5] }, ['5'], 5],
    [{ type: 'integer', default: 'all' }, ['all'], 'all'],
    [{ type: 'string[]', options: [1, 2] }, ['2', '1'], ['2', '1']],
  ])('%j %j', (prop, texts, value) => {
    expect(propValue({ name: 'p', ...prop }, texts)).toEqual(value);
  });
  test('and another text is refused with the options', () => {
    expect(() => propValue({ name: 'p', type: 'string', options: ['a', 'b'] }, ['c'])).toThrow(
      'The prop p must be one of "a", "b", not c.',
    );
  });
});

describe('a refused value is not repeated', () => {
  test.each([
    ['of a secret prop', () => propValue({ name: 'pin', type: 'integer', secret: true }, ['hunter2'])],
    ['of JSON, which may hold a secret', () => propValue({ name: 'pin', type: 'object' }, ['hunter2'])],
  ])('%s', (_, refuse) => {
    expect(refuse).toThrow(/^The prop pin must be (?:(?!hunter2).)*$/);
  });

  test('of --prop-json', async () => {
    const refused = propValues([{ name: 'pin', type: 'string' }], { propJson: ['pin=hunter2'] }, readers);
    await expect(refused).rejects.toThrow(
      'The prop pin must be JSON: a value must be a string in double quotes, a number, true, false, null, an array or an object (line 1, column 1).',
    );
  });
});

test('the first = separates name and value', async () => {
  expect(await read([{ name: 'q', type: 'string' }], ['q=a=b'])).toEqual({ q: 'a=b' });
});

test('a name such as __proto__ is a prop like others', async () => {
  const values = await read([{ name: '__proto__', type: 'string' }], ['__proto__=x']);
  expect(Object.entries(values)).toEqual([['__proto__', 'x']]);
  expect(missingNames([{ name: 'constructor', type: 'string' }], {})).toEqual(['constructor']);
});

test('an unknown prop is refused, unless the component makes props of values', async () => {
  await expect(read([{ name: 'limit', type: 'integer' }], ['limt=1'])).rejects.toThrow('Did you mean limit?');
  expect(await read([{ name: 'kind', type: 'string', reloadProps: true }], ['more=1'])).toEqual({ more: 1 });
});

test('an account belongs to the app prop of that name, or to the only one of that app', async () => {
  const props = [{ name: 'slack', type: 'app', app: 'slack_v2' }];
  const value = { authProvisionId: 'apn_mine' };
  expect(await read(props, [], ['slack=mine'])).toEqual({ slack: value });
  expect(await read(props, [], ['slack_v2=mine'])).toEqual({ slack: value });
  await expect(read(props, [], ['github=mine'])).rejects.toThrow('no app prop github');
});
