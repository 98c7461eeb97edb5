/** A difference of less, in pixels, is rounding. */
const SAME_PX = 1;

interface HeldPosition {
  /** Holds the position of a row of a list, instead of the one before. */
  of(row: Element, list: HTMLElement): void;
  release(): void;
}

/**
 * Holds a row at its distance from the top of the window: the page is scrolled by what comes or goes above the row, such as an error text. A
 * page that cannot scroll so far gets room at its end, or above the list, until the row is released.
 */
export function holdPosition(): HeldPosition {
  /** The row was `top` pixels below the top of the window when the page was scrolled by `scrolled` pixels. */
  let held: { row: Element; list: HTMLElement; top: number; scrolled: number } | undefined;
  let roomBelow = 0;
  const roomAbove = new Map<HTMLElement, number>();

  const correct = (): void => {
    if (!held?.row.isConnected) return;
    const { row, list } = held;
    // A person may have scrolled.
    held.top -= scrollY - held.scrolled;
    const { top } = held;
    const moved = (): number => row.getBoundingClientRect().top - top;
    const scroll = (): void => {
      if (Math.abs(moved()) >= SAME_PX) scrollBy({ top: moved(), behavior: 'instant' });
    };
    scroll();
    if (moved() >= SAME_PX) {
      roomBelow += Math.ceil(moved());
      document.body.style.paddingBottom = `${roomBelow}px`;
      scroll();
    } else if (moved() <= -SAME_PX) {
      roomAbove.set(list, (roomAbove.get(list) ?? 0) - moved());
      list.style.marginTop = `${roomAbove.get(list)}px`;
    }
    held.scrolled = scrollY;
  };
  // It is called before the next frame, so that the row is never drawn elsewhere.
  const changes = new MutationObserver(correct);

  return {
    of(row, list) {
      if (held?.row === row) return;
      if (!held) {
        changes.observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
        // The browser does not do the same.
        document.documentElement.style.overflowAnchor = 'none';
      }
      held = { row, list, top: row.getBoundingClientRect().top, scrolled: scrollY };
    },
    release() {
      if (!held) return;
      held = undefined;
      changes.disconnect();
      document.documentElement.style.overflowAnchor = '';
      document.body.style.paddingBottom = '';
      for (const list of roomAbove.keys()) list.style.marginTop = '';
      roomBelow = 0;
      roomAbove.clear();
    },
  };
}
