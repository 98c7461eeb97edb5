import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

const lists = new Set<Element>();
const watchers = new Set<() => void>();
let isAiming = false;
let isWatched = false;

/** A key that a click is made with does not end the aim. */
const MODIFIERS: readonly string[] = ['Control', 'Shift', 'Alt', 'Meta'];

function setAiming(next: boolean): void {
  if (next === isAiming) return;
  isAiming = next;
  for (const changed of watchers) changed();
}

/** A dialog of a row is above the lists. */
const isInList = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('dialog') === null &&
  [...lists].some((list) => list.contains(target));

function watchPointer(): void {
  if (isWatched) return;
  isWatched = true;
  // A finger aims at nothing before it presses.
  addEventListener('pointermove', ({ target, pointerType }) => {
    if (pointerType !== 'touch') setAiming(isInList(target));
  });
  // It comes without a movement too, when the list is scrolled away or a dialog opens. A dialog that closes begins no aim.
  addEventListener('pointerover', ({ target }) => {
    if (!isInList(target)) letGo();
  });
  document.documentElement.addEventListener('pointerleave', letGo);
  // A person at the keyboard, such as at a search, wants to see its effect.
  addEventListener('keydown', ({ key }) => {
    if (!MODIFIERS.includes(key)) letGo();
  });
}

/** Ends the aim until the pointer moves again. */
export function letGo(): void {
  setAiming(false);
}

/** Whether the pointer was moved into a live list of the page. One list moves another, so that all of them stand still. */
export function useAim(list: RefObject<Element>): boolean {
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
