export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** `first-theme.ts` reads it, too. */
const STORAGE_KEY = 'tributary.theme';

const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);

/** Calls a function when the colours change. Returns the end of it. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function chosenTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return THEMES.find((each) => each === chosen) ?? 'system';
}

/** Keeps the choice for all tabs of this browser. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    delete dataset['theme'];
    localStorage.removeItem(STORAGE_KEY);
  } else {
    dataset['theme'] = theme;
    localStorage.setItem(STORAGE_KEY, theme);
  }
  tell();
}
