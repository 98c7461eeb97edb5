import { crashText } from './crash-text.ts';

/** A script that fails before the first page is drawn leaves a sentence instead of an empty page. */
addEventListener('error', () => {
  const root = document.getElementById('app');
  if (!root || root.childElementCount > 0) return;
  const heading = document.createElement('h1');
  heading.textContent = 'Not shown';
  const sentence = document.createElement('p');
  sentence.role = 'alert';
  sentence.textContent = crashText(undefined);
  root.replaceChildren(heading, sentence);
});
