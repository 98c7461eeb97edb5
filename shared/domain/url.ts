import { LONGEST, plainText } from './text.ts';

/**
 * The problem in the text of a URL. Refuses everything that a URL parser would silently repair (`http:x`, `https:///x`, backslashes,
 * spaces), and credentials.
 */
export function urlProblem(text: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- control characters are what this refuses
  if (/[\s\u0000-\u001f\u007f-\u009f]/u.test(text))
    return 'must not contain spaces, line breaks or control characters';
  if (text.includes('\\')) return 'must not contain backslashes';
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (authority === undefined) return 'must begin with http:// or https://';
  if (authority.includes('@')) return 'must not contain credentials';
  if (authority.includes('%')) return 'must not contain percent-escapes in its host name';
  if (authority.replace(/:\d*$/, '') === '') return 'must have a host name';
  if (/:$/.test(authority)) return 'must have a port after the colon of its host, or no colon';
  return URL.canParse(text) ? undefined : 'must be a URL with a valid host name and port';
}

/** An http(s) URL, stored and returned as sent. */
export const WebhookUrl = plainText(LONGEST.url).superRefine((text, context) => {
  const problem = urlProblem(text);
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: problem, params: { code: 'invalid_url' } });
});
