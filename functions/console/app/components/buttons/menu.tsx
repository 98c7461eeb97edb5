import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Allowed, useLack } from '../../api/rights.tsx';
import { useReturnedFocus } from '../../hooks/use-returned-focus.ts';
import { type Notice, useNotices } from '../notices.tsx';
import { Question } from '../question.tsx';
import { useAction } from './use-action.ts';

interface Action {
  name: string;
  isDangerous?: boolean;
  /** A question that a dialog asks first, with the consequences. */
  question?: { title: string; consequences: ComponentChildren };
  /** Does something, and resolves with the result to show. */
  act: () => Promise<string | Notice>;
  /** The words while it is done: `Disabling…`. */
  progress: string;
}

/** An item does something, or opens something. */
type MenuItem = Action | (Pick<Action, 'name' | 'isDangerous'> & { open: () => void });

export const switchAction = (active: boolean, act: Action['act']): MenuItem =>
  active ? { name: 'Disable', progress: 'Disabling…', act } : { name: 'Enable', progress: 'Enabling…', act };

export const deleteAction = (title: string, consequences: ComponentChildren, act: Action['act']): MenuItem => ({
  name: 'Delete',
  isDangerous: true,
  progress: 'Deleting…',
  question: { title, consequences },
  act,
});

interface MenuProps {
  /** The accessible name. */
  name?: string;
  items: readonly MenuItem[];
}

/** The style sheet has the same heights and width. */
const ITEM_PX = 34;
const WIDTH_PX = 176;
const GAP_PX = 4;

/**
 * A button with ⋯ that opens further actions, and shows that one is under way. The browser closes the list at Escape
 * and at a click elsewhere.
 */
export function Menu({ name = 'More actions', items }: MenuProps) {
  const id = useId();
  const lack = useLack('manage');
  const button = useReturnedFocus();
  const list = useRef<HTMLDivElement>(null);
  const position = (): void => {
    if (button.current && list.current) positionBeside(button.current, list.current, items.length);
  };
  const { progress, begin, question } = useChoice();
  const choose = (item: MenuItem): void => {
    // Before a dialog opens: the focus comes back to the button then.
    list.current?.hidePopover();
    button.current?.focus();
    begin(item);
  };
  return (
    <Allowed>
      <div class="menu">
        <button
          ref={button}
          type="button"
          class="icon"
          aria-label={name}
          aria-haspopup="menu"
          aria-busy={progress !== ''}
          title={lack ?? (progress || name)}
          disabled={lack !== undefined}
          popoverTarget={id}
          onClick={position}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            position();
            list.current?.showPopover();
          }}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" class="line-icon dots">
            <path d="M3 8h.01M8 8h.01M13 8h.01" />
          </svg>
        </button>
        <div
          ref={list}
          id={id}
          popover="auto"
          role="menu"
          aria-label={name}
          class="menu-list"
          onKeyDown={(event) => moveFocus(event, list.current)}
        >
          {items.map((item, n) => (
            <button
              key={item.name}
              type="button"
              role="menuitem"
              class={item.isDangerous === true ? 'dangerous' : undefined}
              tabIndex={-1}
              autofocus={n === 0}
              onClick={() => choose(item)}
            >
              {item.name}
            </button>
          ))}
        </div>
        <span class="hidden-text" aria-live="polite">
          {progress}
        </span>
        {question}
      </div>
    </Allowed>
  );
}

/** An action asks its question, shows its progress, then its result. One action is done at a time. */
function useChoice() {
  const { say } = useNotices();
  const [progress, setProgress] = useState('');
  const [asked, setAsked] = useState<Action>();
  const { run, isPending } = useAction((action: Action) => {
    setAsked(undefined);
    setProgress(action.progress);
    return action.act();
  });
  const begin = (item: MenuItem): void => {
    if (isPending) say(progress);
    else if ('open' in item) item.open();
    else if (item.question) setAsked(item);
    else run(item);
  };
  const question = (
    <Question
      isOpen={asked !== undefined}
      title={asked?.question?.title ?? ''}
      yes={asked?.name ?? ''}
      isDangerous
      onYes={() => asked && run(asked)}
      onNo={() => setAsked(undefined)}
    >
      {asked?.question?.consequences}
    </Question>
  );
  return { progress: isPending ? progress : '', begin, question };
}

/** Below the button, or above it where the window ends. */
function positionBeside(button: HTMLElement, { style }: HTMLElement, items: number): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isAbove = bottom + items * ITEM_PX + 4 * GAP_PX > clientHeight && top > clientHeight / 2;
  const isAtLeft = right < WIDTH_PX;
  style.top = isAbove ? 'auto' : `${bottom + scrollY + GAP_PX}px`;
  style.bottom = isAbove ? `${clientHeight - top - scrollY + GAP_PX}px` : 'auto';
  style.left = isAtLeft ? `${left}px` : 'auto';
  style.right = isAtLeft ? 'auto' : `${clientWidth - right}px`;
}

function moveFocus(event: KeyboardEvent, list: HTMLDivElement | null): void {
  // The next element is that after the button.
  if (event.key === 'Tab') list?.hidePopover();
  const items = [...(list?.querySelectorAll('button') ?? [])];
  const index = items.findIndex((item) => item === document.activeElement);
  const positions: Readonly<Record<string, number>> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 };
  const next = positions[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
