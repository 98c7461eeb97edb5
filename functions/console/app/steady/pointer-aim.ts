import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { holdPosition } from './hold-position.ts';

const lists = new Set<HTMLElement>();
const watchers = new Set<() => void>();
const position = holdPosition();
let isAiming = false;
let isWatched = false;
/** Whether a finger presses a row, or just left it: its click is still to come. */
let isPressed = false;
let pressEnd: ReturnType<typeof setTimeout> | undefined;

/** A key that a click is made with does not end the aim. */
const MODIFIERS: readonly string[] = ['Control', 'Shift', 'Alt', 'Meta'];

/** The click of a finger comes within this time after the finger left. */
const CLICK_WITHIN_MS = 500;

/** The rows of lists: of events and problems, of tables, and of runs. */
const ROW = 'li, tr, article';

function setAiming(next: boolean): void {
  if (!next) position.release();
  if (next === isAiming) return;
  isAiming = next;
  for (const changed of watchers) changed();
}

/** The list around an element. A dialog of a row is above the lists. */
const listAround = (target: EventTarget | null): HTMLElement | undefined =>
  target instanceof Element && target.closest('dialog') === null
    ? [...lists].find((list) => list.contains(target))
    : undefined;

/** Aims at the row of an element, or at nothing outside of lists. */
function aimAt(target: EventTarget | null): void {
  const list = listAround(target);
  const row = target instanceof Element ? target.closest(ROW) : null;
  if (list) position.of(row && list.contains(row) ? row : list, list);
  setAiming(list !== undefined);
}

function watchPointer(): void {
  if (isWatched) return;
  isWatched = true;
  addEventListener('pointermove', ({ target, pointerType }) => {
    if (pointerType !== 'touch') aimAt(target);
  });
  // It comes without a movement too, when the list is scrolled away or a dialog opens. A dialog that closes begins no aim.
  addEventListener('pointerover', ({ target }) => {
    if (!listAround(target)) letGo();
  });
  document.documentElement.addEventListener('pointerleave', () => {
    if (!isPressed) letGo();
  });
  // A person at the keyboard or at a filter wants to see the effect.
  addEventListener('keydown', ({ key }) => {
    if (!MODIFIERS.includes(key)) letGo();
  });
  addEventListener('input', ({ target }) => {
    if (!listAround(target)) letGo();
  });
  watchFingers();
}

/** A finger aims at nothing before it presses, and then until its click. A press that scrolls is cancelled and makes no click. */
function watchFingers(): void {
  addEventListener('pointerdown', ({ target, pointerType }) => {
    if (pointerType === 'mouse' || !listAround(target)) return;
    clearTimeout(pressEnd);
    isPressed = true;
    aimAt(target);
  });
  const endPress = (): void => {
    clearTimeout(pressEnd);
    if (isPressed) letGo();
  };
  addEventListener('pointerup', () => {
    if (isPressed) pressEnd = setTimeout(endPress, CLICK_WITHIN_MS);
  });
  addEventListener('pointercancel', endPress);
  addEventListener('click', endPress);
}

/** Ends the aim until the pointer moves again. */
export function letGo(): void {
  isPressed = false;
  setAiming(false);
}

/** Whether the pointer was moved into a live list of the page, or a finger presses one. One list moves another, so that all of them stand still. */
export function useAim(list: RefObject<HTMLElement>): boolean {
  const [isOn, setOn] = useState(isAiming);
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return undefined;
    watchPointer();
    const look = (): void => {
      setOn(isAiming);
    };
    lists.add(current);
    watchers.add(look);
    look();
    return () => {
      lists.delete(current);
      watchers.delete(look);
      // Another page has other lists.
      if (lists.size === 0) letGo();
    };
  }, []);
  return isOn;
}
