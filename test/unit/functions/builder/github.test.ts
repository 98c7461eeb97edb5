import { describe, expect, test } from 'vitest';
import { displayName, fetchableAddress } from '../../../../functions/builder/files/github.ts';

const raw = 'https://raw.githubusercontent.com/PipedreamHQ/pipedream';
const file = 'components/rss/sources/new-item-in-feed/new-item-in-feed.ts';

describe('GitHub addresses', () => {
  test.each([
    [`https://github.com/PipedreamHQ/pipedream/blob/master/${file}`, `${raw}/master/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/blob/0a1b2c3/${file}`, `${raw}/0a1b2c3/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/blob/feature/x/${file}`, `${raw}/feature/x/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/blob/master/${file}#L10-L20`, `${raw}/master/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/blob/master/${file}?raw=true`, `${raw}/master/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/raw/master/${file}`, `${raw}/master/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/raw/refs/heads/master/${file}`, `${raw}/refs/heads/master/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/blame/master/${file}`, `${raw}/master/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/${file}`, `${raw}/HEAD/${file}`],
    [`https://github.com/PipedreamHQ/pipedream/components/http/http.js`, `${raw}/HEAD/components/http/http.js`],
    [`http://github.com/PipedreamHQ/pipedream/blob/master/a.mjs`, `${raw}/master/a.mjs`],
    [`https://www.github.com/PipedreamHQ/pipedream/blob/master/a.mjs`, `${raw}/master/a.mjs`],
    [`https://GitHub.com/PipedreamHQ/pipedream.git/blob/master/a.mjs`, `${raw}/master/a.mjs`],
    [`https://github.com/PipedreamHQ/pipedream/blob/master/a%20b.mjs`, `${raw}/master/a%20b.mjs`],
  ])('%s → %s', (address, expected) => {
    expect(fetchableAddress(address)).toBe(expected);
  });

  test.each([
    `${raw}/master/${file}`,
    'https://github.com/PipedreamHQ',
    'https://github.com/PipedreamHQ/pipedream',
    'https://gitlab.com/owner/repository/-/raw/main/a.js',
    'http://127.0.0.1:8080/PipedreamHQ/pipedream/blob/master/a.mjs',
    'https://example.com/github.com/a/b/blob/c/d.js?x=1',
    'https://notgithub.com/a/b/blob/c/d.js',
    'https://github.com.example.com/a/b/blob/c/d.js',
  ])('%s stays as it is', (address) => {
    expect(fetchableAddress(address)).toBe(address);
  });

  test('a file is called by its path in the repository, elsewhere by its path', () => {
    expect(displayName(`${raw}/master/${file}`)).toBe(file);
    expect(displayName(`${raw}/refs/heads/master/${file}`)).toBe(file);
    expect(displayName('http://127.0.0.1:8080/components/a%20b.mjs?x=1')).toBe('components/a b.mjs');
  });
});
