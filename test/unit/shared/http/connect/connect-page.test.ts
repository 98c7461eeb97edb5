import { expect, test } from 'vitest';
import { connectPage } from '../../../../../shared/http/connect/connect-page.ts';
import { authorizationCookie } from '../../../../../shared/http/connect/connect-handler.ts';
import { cookieReader } from '../../../../../shared/http/host-cookies.ts';

const HTML = `"><img src=x onerror=alert(1)>'&`;

test('every text of a page is escaped: of users, providers, apps, scopes and reasons', () => {
  const origin = 'https://t.example';
  const pages = [
    connectPage(
      {
        kind: 'confirm',
        confirmation: {
          username: HTML,
          app: HTML,
          provider: HTML,
          login: HTML,
          scopes: [HTML],
          missingScopes: [HTML],
          reconnects: { name: HTML, login: HTML, isOtherLogin: true },
          state: HTML,
          confirmation: HTML,
        },
      },
      origin,
    ),
    connectPage({ kind: 'connected', app: HTML, username: HTML }, origin),
    connectPage({ kind: 'problem', status: 400, title: HTML, sentence: HTML, words: HTML }, origin),
  ];
  for (const page of pages) {
    expect(page).not.toMatch(/<img|onerror=alert\(1\)>/);
    expect(page).toMatch(/&lt;img/);
    expect(page).not.toMatch(/<script/i);
  }
});

test('over TLS the cookie has the prefix that no other host and no plain connection can set', () => {
  const cookie = { name: 'tributary-connect-1', value: 'v' };
  expect(authorizationCookie(cookie, 'https://t.example')).toBe(
    '__Host-tributary-connect-1=v; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=1200',
  );
  const cookies = ['tributary-connect-1=planted', '__Host-tributary-connect-1=v', '__Host-tributary-connect-12=x'];
  expect(cookieReader(cookies, 'https://t.example')('tributary-connect-1')).toEqual(['v']);
});

test('all cookies of a name are read: another path may have one, too', () => {
  const cookies = ['a=1', 'b=2', 'a=3'];
  expect(cookieReader(cookies, 'http://127.0.0.1:3000')('a')).toEqual(['1', '3']);
});
