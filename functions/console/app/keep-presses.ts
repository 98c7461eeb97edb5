/** Elements that a click is for. */
const CONTROL = 'a[href], button, summary, label, input, [role="option"]';

/** A pointer that moved less, in pixels, was meant to click. */
const STILL_PX = 8;

interface Press {
  control: HTMLElement;
  x: number;
  y: number;
}

function pressOf({ target, clientX: x, clientY: y }: PointerEvent): Press | undefined {
  const control = target instanceof Element ? target.closest<HTMLElement>(CONTROL) : null;
  return control ? { control, x, y } : undefined;
}

/**
 * A click counts for the control on which the pointer was pressed. The props of a code that was just left may have
 * moved the button; a browser then gives the click to what contains both elements.
 */
export function keepPresses(): void {
  let press: Press | undefined;
  addEventListener(
    'pointerdown',
    (event) => {
      press = event.isPrimary && event.button === 0 ? pressOf(event) : undefined;
    },
    true,
  );
  addEventListener(
    'click',
    (event) => {
      const held = press;
      press = undefined;
      // A click of the keyboard has no detail.
      if (!held || event.detail === 0 || !held.control.isConnected) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (event.composedPath().includes(held.control)) return;
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PX) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      held.control.click();
    },
    true,
  );
}
