import { foundSections } from './found-sections.ts';

/** Shows the sections that have every typed word. The key `/` goes to the box. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('.guide-search');
  const box = form?.querySelector('input');
  const list = form?.querySelector('ol');
  const status = form?.querySelector('[role=status]');
  if (!form || !box || !list || !status) return;
  const { before = '', after = '' } = form.dataset;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  const search = async (): Promise<void> => {
    const { default: sections } = await import('console:guide');
    const { found, total } = foundSections(sections, box.value);
    const isTyped = box.value.trim() !== '';
    status.textContent = isTyped ? `${total} found` : '';
    list.replaceChildren(
      ...found.map(({ page, title, anchor, heading, excerpt }) => {
        const link = document.createElement('a');
        link.href = `${before}${page}${after}${anchor === '' ? '' : `#${anchor}`}`;
        const name = document.createElement('strong');
        name.textContent = heading === '' || heading === title ? title : `${title}: ${heading}`;
        link.append(name, document.createElement('br'), excerpt);
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
  };
  const refuse = (): void => {
    status.textContent = 'The search could not be loaded. Reload the page.';
  };
  box.addEventListener('input', () => void search().catch(refuse));
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    box.focus();
  });
}
