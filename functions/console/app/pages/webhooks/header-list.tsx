import type { ShownHeader } from './request-headers.ts';

interface HeaderListProps {
  /** The accessible name. */
  name: string;
  headers: readonly ShownHeader[];
}

/** Headers of a request or a response. A name can be there twice. */
export const HeaderList = ({ name, headers }: HeaderListProps) => (
  <>
    <h3>{name}</h3>
    {headers.length === 0 ? (
      <p class="muted">none</p>
    ) : (
      <dl class="headers" aria-label={name}>
        {headers.map(({ name: header, value }, n) => (
          <div key={n}>
            <dt>{header}</dt>
            <dd>{value ?? <span class="muted">not kept</span>}</dd>
          </div>
        ))}
      </dl>
    )}
  </>
);
