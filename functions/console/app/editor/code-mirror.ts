import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CodePosition } from './code-positions.ts';
import { mountInConstructedSheet } from './constructed-styles.ts';

mountInConstructedSheet();

export interface Editor {
  setText(text: string): void;
  showProblems(problems: readonly CodePosition[]): void;
  goToLine(line: number): void;
  focus(): void;
  destroy(): void;
}

/** Marks a change that the page made, and no person. */
const isSet = Annotation.define<boolean>();

interface EditorOptions {
  parent: HTMLElement;
  label: string;
  isReadOnly: boolean;
  text: string;
  /** From and to, in the text. */
  selection?: readonly [from: number, to: number];
  onChange: (text: string) => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.self], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-name)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--small)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', minHeight: '20rem', maxHeight: '70vh' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.75rem 0' },
  '.cm-content, .cm-gutter': { minHeight: '20rem' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--sunken) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  // The frame around the editor has the outline: lines and their numbers would cover this one.
  '&.cm-focused': { outline: 'none' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
});

/** An editor of JavaScript and TypeScript. Tab moves on to the next element, as everywhere on a page. */
export function createEditor({ parent, label, isReadOnly, text, selection, onChange }: EditorOptions): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      ...(selection ? { selection: { anchor: selection[0], head: selection[1] } } : {}),
      extensions: [
        EditorState.readOnly.of(isReadOnly),
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        lintGutter(),
        placeholder('Write code, or choose above.'),
        javascript({ typescript: true }),
        syntaxHighlighting(colours),
        theme,
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          // A scrolling region needs an element that the keyboard reaches.
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        EditorView.updateListener.of((update) => {
          const isTyped = !update.transactions.some((transaction) => transaction.annotation(isSet));
          if (update.docChanged && isTyped) onChange(update.state.doc.toString());
        }),
        EditorView.domEventHandlers({ beforeinput: insertItself }),
      ],
    }),
  });
  return {
    setText: (next) => {
      const { doc } = view.state;
      if (next === doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: next }, annotations: isSet.of(true) });
    },
    showProblems: (problems) => {
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(view.state, problem)),
        ),
      );
    },
    goToLine: (line) => {
      const { from, to } = lineAt(view.state, line);
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
      // The editor may be loaded after a person went on to another field.
      if (isFocusFree()) view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/**
 * Inserts typed line breaks, and text that replaces a selection. Chromium would give them an inline style, which the
 * Content-Security-Policy refuses with an error.
 */
function insertItself(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  // The editor learns of a new selection only later than the browser.
  const selection = document.getSelection();
  if (inputType !== 'insertText' || data === null || isComposing || !selection?.rangeCount) return false;
  const { collapsed, startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (collapsed && !data.includes('\n')) return false;
  const from = view.posAtDOM(startContainer, startOffset);
  const to = view.posAtDOM(endContainer, endOffset);
  const insert = view.state.toText(data);
  const change = () =>
    view.state.update({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, change));
  if (!isHandled) view.dispatch(change());
  event.preventDefault();
  return true;
}

const isFocusFree = (): boolean =>
  document.activeElement === null || ['BODY', 'MAIN'].includes(document.activeElement.tagName);

const lineAt = ({ doc }: EditorState, line: number) => doc.line(Math.min(Math.max(1, line), doc.lines));

function diagnosticOf(state: EditorState, { line, column, message }: CodePosition): Diagnostic {
  const { from, to } = lineAt(state, line);
  return { from: Math.min(from + column - 1, to), to, severity: 'error', message };
}
