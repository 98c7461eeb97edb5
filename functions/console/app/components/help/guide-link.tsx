import { useLocation } from 'preact-iso/router';

/** The page of the guide for each page of the console. The first match wins. */
const TOPICS: readonly (readonly [path: RegExp, topic: string])[] = [
  [/^\/sources\/new/, 'writing-components'],
  [/^\/sources\/[^/]+\/(?:code|props)/, 'writing-components'],
  [/^\/(?:sources|webhooks)\/[^/]+\/metrics/, 'console#charts'],
  [/^\/sources\/[^/]+\/listeners/, 'delivery#filters'],
  [/^\/webhooks\/[^/]+\/verify/, 'delivery#what-a-webhook-receives'],
  [/^\/webhooks\/[^/]+\/deliveries/, 'debugging-a-delivery'],
  [/^\/webhooks/, 'delivery'],
  [/^\/subscriptions/, 'delivery#filters'],
  [/^\/components/, 'writing-components'],
  [/^\/workflows/, 'workflows'],
  [/^\/accounts/, 'accounts'],
  [/^\/notices/, 'notices'],
  [/^\/me$/, 'keys'],
];

/** The list of the operators of filters. */
export const OperatorsLink = () => <a href="/guide/delivery#operators">Operators</a>;

/** Opens the page of the guide that belongs to a page of the console. */
export function GuideLink() {
  const { path } = useLocation();
  const below = path.replace(/^\/console/, '');
  const topic = TOPICS.find(([pattern]) => pattern.test(below))?.[1] ?? 'console';
  return (
    <a class="guide-link" href={`/guide/${topic}`} aria-label="Guide to this page" title="Guide to this page">
      ?
    </a>
  );
}
