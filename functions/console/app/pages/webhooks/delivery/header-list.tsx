import type { ShownHeader } from './request-headers.ts';

/** Headers of a request or a response. A name can be there twice. */
export const HeaderList = ({ headers }: { headers: readonly ShownHeader[] }) =>
  headers.length === 0 ? (
    <p class="muted">none</p>
  ) : (
    <dl>
      {headers.map(({ name, value }, n) => (
        <div key={n}>
          <dt>{name}</dt>
          <dd>{value ?? <span class="muted">not kept</span>}</dd>
        </div>
      ))}
    </dl>
  );
