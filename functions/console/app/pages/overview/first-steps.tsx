/** The way of a new user to the first delivered event. */
export const FirstSteps = () => (
  <section class="card stack" aria-label="First steps">
    <h2>First steps</h2>
    <ol class="first-steps">
      <li>
        <a href="/console/sources/new">Create a source</a>: a component that gets requests, or asks an API on a timer,
        and emits events.
      </li>
      <li>
        <a href="/console/webhooks/new">Create a webhook</a>: the address of a program that gets the events.
      </li>
      <li>
        <a href="/console/subscriptions">Subscribe the webhook to the source</a>, and send the source a request.
      </li>
    </ol>
  </section>
);
