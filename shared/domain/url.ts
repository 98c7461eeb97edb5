import { LONGEST, plainText } from './text.ts';

/** SSH and mail. Such a server may take the lines of a request for commands. */
const REFUSED_PORTS = ['22', '25', '465', '587'];
export const REFUSED_PORTS_TEXT = 'the ports 22, 25, 465 and 587';
export const isRefusedPort = (port: string): boolean => REFUSED_PORTS.includes(port);

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.has(hostname);

/**
 * The problem in the text of a URL. Refuses everything that a URL parser would silently repair (`http:x`, `https:///x`,
 * backslashes, spaces), credentials, and ports of other protocols.
 */
export function urlProblem(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what this refuses
  if (/[\s\u0000-\u001f\u007f-\u009f]/u.test(text)) return 'must not contain spaces, line breaks or control characters';
  if (text.includes('\\')) return 'must not contain backslashes';
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (authority === undefined) return 'must begin with http:// or https://';
  if (authority.includes('@')) return 'must not contain credentials';
  if (authority.includes('%')) return 'must not contain percent-escapes in its host name';
  if (authority.replace(/:\d*$/, '') === '') return 'must have a host name';
  if (/:$/.test(authority)) return 'must have a port after the colon of its host, or no colon';
  if (!URL.canParse(text)) return 'must be a URL with a valid host name and port';
  const { port } = new URL(text);
  return isRefusedPort(port) ? `must not use port ${port}: ${REFUSED_PORTS_TEXT} are refused` : undefined;
}

/** An http(s) URL, stored and returned as sent. */
export const WebhookUrl = plainText(LONGEST.url).superRefine((text, context) => {
  const problem = urlProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, params: { code: 'invalid_url' } });
});
