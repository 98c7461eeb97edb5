import type { Socket } from 'node:net';
import { hiddenValues, ownWords } from '../../shared/runtime/redaction/account-fields.ts';
import type { Database } from '../../shared/runtime/db.ts';
import type { PropDeclaration } from '../../shared/runtime/declarations.ts';
import { type Hiding, hiding } from '../../shared/runtime/redaction/redactor.ts';
import { Outside } from '../../shared/runtime/redaction/public-values.ts';
import type { Job } from '../../shared/domain/run.ts';
import type { ChildRequest } from './child-request.ts';
import { hearInbound } from './inbound.ts';

interface Given {
  request: Pick<ChildRequest, 'props'>;
  /** As it was loaded. */
  database: Pick<Database, 'said'>;
}

/** What must not leave this child, and what the outside has told it, for as long as it lives. */
export class Secrecy {
  readonly #outside = new Outside();
  /** Through which the host speaks. */
  readonly #own: Socket;
  #isWatching = false;
  #known: { key: string; hiding: Hiding } | undefined;
  #request: Given['request'] | undefined;

  constructor(own: Socket) {
    this.#own = own;
  }

  /** To be called before any of the component's code runs; a source without such fields pays for nothing. */
  expect({ props }: Given['request']): void {
    const { others } = hiddenValues(props);
    if (others.size === 0 || this.#isWatching) return;
    this.#isWatching = true;
    hearInbound(this.#outside, this.#own);
  }

  /** For a job of this request, with what its trigger says. */
  hidingFor(given: Given, declarations: readonly PropDeclaration[], job: Job): Hiding {
    const hide = this.#hidingOf(given, declarations);
    if (this.#outside.isListening) this.#outside.hear(said(job));
    return hide;
  }

  /** Whether it holds what nobody outside has said. */
  readonly isOwn = (text: string): boolean => this.#outside.hasNotSaidAll(text);

  #hidingOf({ request, database }: Given, declarations: readonly PropDeclaration[]): Hiding {
    if (this.#request === request && this.#known) return this.#known.hiding;
    const values = hiddenValues(request.props, declarations);
    const key = JSON.stringify([[...values.credentials], [...values.others]]);
    if (this.#known?.key !== key) {
      this.#outside.waitFor(values.others);
      this.#known = { key, hiding: hiding(values, this.#outside) };
    }
    this.#request = request;
    if (this.#outside.isListening) {
      for (const text of database.said) this.#outside.hear(text);
      this.#outside.hear(JSON.stringify(ownWords(request.props, declarations)));
    }
    return this.#known.hiding;
  }
}

/** What came from outside with a job. */
function said(job: Job): string {
  if (job.kind === 'run') return job.event;
  return job.kind === 'options' ? JSON.stringify([job.query, job.prevContext]) : '';
}
