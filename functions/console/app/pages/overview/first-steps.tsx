import type { Totals } from '../../api/totals.ts';

interface Step {
  href: string;
  name: string;
  text: string;
  isDone: boolean;
}

const stepsOf = ({ sources, webhooks, hasSubscriptions }: Totals): readonly Step[] => [
  {
    href: '/console/sources/new',
    name: 'Create a source',
    text: 'A component that gets requests, or asks an API on a timer, and emits events.',
    isDone: sources > 0,
  },
  {
    href: '/console/webhooks/new',
    name: 'Create a webhook',
    text: 'The address of a program that gets the events.',
    isDone: webhooks > 0,
  },
  {
    href: '/console/subscriptions?emitter=',
    name: 'Subscribe the webhook to the source',
    text: 'Then send the source a request: its event is delivered at once.',
    isDone: hasSubscriptions,
  },
];

/** Whether somebody is on the way to the first delivered event. */
export const isBeginning = (totals: Totals): boolean =>
  totals.sources <= 1 && totals.webhooks <= 1 && stepsOf(totals).some(({ isDone }) => !isDone);

/** The way of a new user to the first delivered event. */
export const FirstSteps = ({ totals }: { totals: Totals }) => (
  <section class="stack" aria-label="First steps">
    <h2>First steps</h2>
    <ol class="plain first-steps">
      {stepsOf(totals).map(({ href, name, text, isDone }, n) => (
        <li key={href} class={isDone ? 'card first-step done' : 'card first-step'}>
          <span class="step-mark">
            {isDone ? (
              <svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="Done" class="line-icon">
                <path d="M3 8.5 6.5 12 13 4.5" />
              </svg>
            ) : (
              n + 1
            )}
          </span>
          <a href={href}>{name}</a>
          <span class="hint">{text}</span>
        </li>
      ))}
    </ol>
  </section>
);
