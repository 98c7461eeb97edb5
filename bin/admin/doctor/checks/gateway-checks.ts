import type { Subject } from '../doctor-subject.ts';
import { type Check, hold } from './claim.ts';
import { mirrored } from './mirror-request.ts';

/** Sent path → path of the event. The gateway decodes a path, cuts it at `?` and decodes it again. */
const PATHS: readonly (readonly [sent: string, seen: string])[] = [
  ['', '/'],
  ['/a/b.json', '/a/b.json'],
  ['/a%20b', '/a b'],
  ['/%CE%BB', '/λ'],
  ['/a%23b', '/a#b'],
  ['/a%2Fb', '/a/b'],
];

const paths: Check = {
  name: 'paths',
  claim: 'An encoded path reaches a component in the same form as on one machine.',
  async ask(subject) {
    for (const [sent, seen] of PATHS) {
      const { path } = await mirrored(subject, sent);
      hold(path === seen, `The path ${sent} reached the component as ${path} instead of ${seen}`);
    }
    return `${PATHS.length} forms`;
  },
};

const BODIES: readonly (readonly [type: string, body: string | Uint8Array<ArrayBuffer>, seen: unknown])[] = [
  ['application/json', '{"a":"ä"}', { a: 'ä' }],
  ['application/json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['application/vnd.github+json', '{"a":1}', { a: 1 }],
  ['application/x-www-form-urlencoded', 'a=1&b=%20', { a: '1', b: ' ' }],
  ['text/plain', 'ä', 'ä'],
  ['image/png', new Uint8Array([255, 0]), '/wA='],
];

const bodies: Check = {
  name: 'bodies',
  claim: 'A body reaches a component unchanged, whether API Gateway passes it on as text or as base64.',
  async ask(subject) {
    for (const [type, body, expected] of BODIES) {
      const seen = await mirrored(subject, '/body', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      hold(JSON.stringify(seen.body) === JSON.stringify(expected), `A body of ${type} was changed`);
    }
    return `${BODIES.length} content types`;
  },
};

const headers: Check = {
  name: 'headers',
  claim: 'Headers that API Gateway adds to a request do not reach a component.',
  async ask(subject) {
    const { headers: seen } = await mirrored(subject, '/headers', { headers: { 'x-doctor': 'here' } });
    const added = Object.keys(seen).filter((name) =>
      /^(?:forwarded|via|x-forwarded-.*|x-amzn-trace-id|content-type|content-length)$/.test(name),
    );
    hold(seen['x-doctor'] === 'here', 'A header of the client is missing');
    hold(added.length === 0, `The component saw ${added.join(', ')}`);
    return Object.keys(seen).sort().join(', ');
  },
};

const challenge: Check = {
  name: 'challenge',
  claim: 'A request without a key is 401; API Gateway may rename its header WWW-Authenticate.',
  async ask({ api }: Subject) {
    const { status, headers: seen } = await fetch(`${api}/users/me`);
    const names = [...seen.keys()].filter((name) => name.endsWith('www-authenticate'));
    hold(status === 401, `The status was ${status}`);
    hold(names.length === 1, 'The answer has no such header');
    return `the header is ${names.join()}`;
  },
};

export const gatewayChecks = [paths, bodies, headers, challenge];
