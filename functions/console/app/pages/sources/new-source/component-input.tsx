import { Tabs } from '../../../components/tabs.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { CodeEditor } from '../../../editor/code-editor.tsx';
import { codePositionsOf } from '../../../editor/code-positions.ts';
import { ORIGINS, type Origin } from './component-picker.ts';
import type { NewComponent } from './use-new-component.ts';

const HINTS: Readonly<Record<Exclude<Origin, 'Code'>, string>> = {
  Address: 'The http(s) address of the component’s entry file. Its relative imports are fetched too.',
  'Registry key': 'The key of a component of yours, or of one that the operator published.',
};

/**
 * The component of a new source: its code, its address or its key. The positions of an error are marked in the code.
 */
export const ComponentInput = ({
  origin,
  onOrigin,
  text,
  onText,
  onLeave,
  error,
}: NewComponent['input'] & { error: unknown }) => (
  <section
    class="card"
    aria-label="Component"
    onFocusOut={({ relatedTarget, target }) => {
      // Without another element, the focus left for another window: the code may be half-typed.
      if (relatedTarget !== null && target instanceof Element && isInput(target)) onLeave();
    }}
  >
    <Tabs label="Where the code comes from" names={ORIGINS} selected={origin} onSelect={onOrigin}>
      {origin === 'Code' ? (
        <CodeEditor label="Code" value={text} onChange={onText} problems={codePositionsOf(error)} />
      ) : (
        <div class="short-field" key={origin}>
          <TextField label={origin} value={text} onChange={onText} hint={HINTS[origin]} />
        </div>
      )}
    </Tabs>
  </section>
);

const isInput = (element: Element): boolean => element.matches('input, textarea, [contenteditable]');
