/**
 * The only script of the page; its hash is in the page's Content-Security-Policy. It shows the operations and objects
 * that have every word, and adds a button to copy each example where browsers offer the clipboard.
 */
export const SCRIPT = `
const box = document.querySelector('input[type=search]');
const found = document.querySelector('[role=status]');
const sections = [...document.querySelectorAll('main section')].map((section) => ({
  section,
  link: document.querySelector('nav a[href="#' + section.id + '"]').parentElement,
  text: section.textContent.toLowerCase(),
}));
function search() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const { section, link, text } of sections) {
    const isFound = words.every((word) => text.includes(word));
    section.hidden = link.hidden = !isFound;
    count += isFound ? 1 : 0;
  }
  for (const group of document.querySelectorAll('[data-group]')) group.hidden = !group.querySelector('section:not([hidden]), li:not([hidden])');
  found.textContent = words.length === 0 ? '' : count + ' found';
}
box.closest('.search').hidden = false;
box.addEventListener('input', search);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === box) return;
  event.preventDefault();
  box.focus();
});
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || !target.hidden) return;
  box.value = '';
  search();
  target.scrollIntoView();
});
search();
if (isSecureContext) for (const example of document.querySelectorAll('pre')) {
  const [frame, button] = [document.createElement('div'), document.createElement('button')];
  const say = (text) => () => { button.textContent = text; };
  frame.className = 'example';
  button.type = 'button';
  say('Copy')();
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(example.textContent).then(say('Copied'), say('Not allowed'));
    setTimeout(say('Copy'), 2000);
  });
  example.replaceWith(frame);
  frame.append(example, button);
}
`;
