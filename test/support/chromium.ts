import { existsSync } from 'node:fs';

/** Chromium without windows needs half of the processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Chromium of the operating system, or the one that `CHROMIUM` names. */
export const CHROMIUM = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
