import { useEffect, useState } from 'preact/hooks';
import { chooseTheme, chosenTheme, onThemeChange, type Theme, THEMES } from './theme.ts';

const NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The colours of the console in this browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  useEffect(() => onThemeChange(() => setTheme(chosenTheme())), []);
  return (
    <div class="segments" role="group" aria-label="Theme">
      {THEMES.map((each) => (
        <button key={each} type="button" aria-pressed={each === theme} onClick={() => chooseTheme(each)}>
          {NAMES[each]}
        </button>
      ))}
    </div>
  );
}
