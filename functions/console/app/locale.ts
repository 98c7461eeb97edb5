const FALLBACK = 'en';

function isAccepted(locale: string | undefined): boolean {
  try {
    return new Intl.NumberFormat(locale).format(1) !== '';
  } catch {
    return false;
  }
}

/** The browser's locale: undefined if `Intl` accepts it, else the first language that it accepts. */
const LOCALE = isAccepted(undefined) ? undefined : (navigator.languages.find(isAccepted) ?? FALLBACK);

// Chromium in the POSIX locale reports `en-US@posix`, which `Intl` refuses. The plots pass it on when their module
// loads.
if (!isAccepted(navigator.language))
  Object.defineProperty(navigator, 'language', { value: LOCALE ?? FALLBACK, configurable: true });

export const timeFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(LOCALE, options);
export const numberFormat = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(LOCALE, options);

const COUNT = numberFormat({});

/** `12,300`. */
export const countText = (count: number): string => COUNT.format(count);
