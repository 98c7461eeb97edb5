import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAllows } from '../api/rights.tsx';
import type { CodePosition } from './code-positions.ts';
import type { Editor } from './code-mirror.ts';

interface CodeEditorProps {
  /** The accessible name. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Shown at their lines. */
  problems?: readonly CodePosition[];
  /** The line to go to, from 1. */
  line?: number | undefined;
}

/** An editor for code. Its program is loaded on first use; until then a plain text box takes its place. */
export function CodeEditor({ label, value, onChange, problems = [], line }: CodeEditorProps) {
  const allows = useAllows('manage');
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>();
  const [isLoaded, setLoaded] = useState(false);
  /** Texts that were typed and that did not yet come back as the value, the oldest first. */
  const typed = useRef<string[]>([]);
  const current = useRef({ value, onChange });
  current.current = { value, onChange };

  useEffect(() => {
    let isGone = false;
    void import('./code-mirror.ts').then(({ createEditor }) => {
      const parent = container.current;
      if (isGone || !parent) return;
      const box = parent.querySelector('textarea');
      const hadFocus = parent.contains(document.activeElement);
      setLoaded(true);
      editor.current = createEditor({
        parent,
        label,
        isReadOnly: !allows,
        text: current.current.value,
        ...(hadFocus && box ? { selection: [box.selectionStart, box.selectionEnd] } : {}),
        onChange: (text) => {
          typed.current.push(text);
          current.current.onChange(text);
        },
      });
      if (hadFocus) editor.current.focus();
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [label]);
  useLayoutEffect(() => {
    // A typed text comes back when the page is drawn. Meanwhile more may have been typed, which it must not replace.
    const own = typed.current.indexOf(value);
    typed.current.splice(0, own < 0 ? Infinity : own + 1);
    if (own < 0) editor.current?.setText(value);
  }, [value, isLoaded]);
  useEffect(() => editor.current?.showProblems(problems), [problems, isLoaded]);
  useLayoutEffect(() => {
    if (line !== undefined) editor.current?.goToLine(line);
  }, [line, isLoaded]);

  return (
    <div class="code-editor" ref={container}>
      {!isLoaded && (
        <textarea
          class="mono"
          aria-label={label}
          spellcheck={false}
          rows={16}
          readOnly={!allows}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </div>
  );
}
