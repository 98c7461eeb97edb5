import { session } from '../api/key-session.ts';

/** The readable part of a token. The service checks it with each request. */
export interface PortalLink {
  webhookId: string;
  name: string;
  color: string | undefined;
}

/** Takes the token of the address out of it, so that neither history nor a copied address has it. */
export function takePortalLink(): string | undefined {
  const token = location.hash.slice(1);
  if (!token.startsWith('pt_')) return undefined;
  history.replaceState(history.state, '', location.pathname);
  session.enter(token);
  return token;
}

/** Undefined for a text that is no token. */
export function portalLinkOf(token: string): PortalLink | undefined {
  try {
    const [, text = ''] = /^pt_([\w-]+)\./.exec(token) ?? [];
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    const { webhookId, name, color } = JSON.parse(new TextDecoder().decode(bytes));
    return { webhookId: String(webhookId), name: String(name ?? ''), color: color && String(color) };
  } catch {
    return undefined;
  }
}

/** On this luminance, black and white can be read equally well. */
const EVEN = 0.179;

/** Relative luminance as in WCAG 2: black is 0, white is 1. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Gives the head and the main buttons the colour of a link, with text that can be read on it. */
export function paint(color: string | undefined): void {
  const { style } = document.documentElement;
  if (color === undefined) {
    style.removeProperty('--portal');
    style.removeProperty('--on-portal');
    return;
  }
  style.setProperty('--portal', color);
  style.setProperty('--on-portal', luminanceOf(color) > EVEN ? '#000000' : '#ffffff');
}
