import { type ComponentChildren, Fragment } from 'preact';

interface FactsProps {
  /** Names with their content. A fact without content is left out. */
  facts: readonly (readonly [name: string, content: ComponentChildren])[];
  /** Two facts stand beside each other. */
  isInPairs?: boolean;
}

/** Facts about a thing, each below or beside its name. */
export const Facts = ({ facts, isInPairs = false }: FactsProps) => (
  <dl class={isInPairs ? 'facts in-pairs' : 'facts'}>
    {facts
      .filter(([, content]) => content != null && content !== false)
      .map(([name, content]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </Fragment>
      ))}
  </dl>
);

/** The facts about the thing that a page shows. */
export const About = (props: FactsProps) => (
  <section class="card" aria-label="About">
    <Facts {...props} />
  </section>
);
