import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { stagesOf } from '../../support/containerfile.ts';

const compose = readFileSync('infra/container/compose.yaml', 'utf8');
const image = stagesOf('infra/container/Containerfile').at(-1) ?? [];
const textsOf = (name: string) => image.filter((each) => each.name === name).map(({ text }) => text);

describe('the image', () => {
  test('runs as a user without rights, from before its command on', () => {
    const names = image.map(({ name }) => name);
    expect(textsOf('USER')).toEqual(['node']);
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
    expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'));
  });

  test('has a Node that the package takes', () => {
    const [, major = '0'] = /node:(\d+)-/.exec(textsOf('FROM')[0] ?? '') ?? [];
    expect(Number(major)).toBeGreaterThan(Number.parseInt(manifest.engines.node.replace('>=', ''), 10));
  });

  test('has bubblewrap, a volume, two ports and a health check of /healthz', () => {
    expect(textsOf('RUN').join()).toContain('bubblewrap');
    expect(textsOf('VOLUME')).toEqual(['/data']);
    expect(textsOf('EXPOSE')).toEqual(['3000 3001']);
    expect(textsOf('HEALTHCHECK').join()).toContain('/healthz');
  });
});

describe('the compose file', () => {
  test.each([
    'read_only: true',
    'no-new-privileges:true',
    '127.0.0.1:3000:3000',
    '127.0.0.1:3001:3001',
    'data:/data',
    'dockerfile: infra/container/Containerfile',
    'ISOLATION: sandbox',
  ])('has %s', (line) => {
    expect(compose).toContain(line);
  });

  test('gives the service no capability', () => {
    expect(compose).toMatch(/cap_drop:\n\s+- ALL\n/);
    expect(compose).not.toContain('cap_add');
    expect(compose).not.toContain('privileged: true');
  });
});

test('nothing that a build makes is copied into the image', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.data', '.build', 'cdk.out', 'dist', 'node_modules']));
});
