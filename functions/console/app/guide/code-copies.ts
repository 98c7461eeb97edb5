const COPIED_MS = 2_000;

/** A button at each block of code. Browsers offer the clipboard to pages with TLS and to pages of this machine only. */
export function addCopyButtons(): void {
  if (!window.isSecureContext) return;
  for (const block of document.querySelectorAll<HTMLElement>('article pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'guide-copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(block.textContent ?? '').then(
        () => say(button, 'Copied'),
        () => say(button, 'Not allowed'),
      );
    });
    const frame = document.createElement('div');
    frame.className = 'guide-code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}
