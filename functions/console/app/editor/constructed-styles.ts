import { StyleModule } from 'style-mod';

const sheet = new CSSStyleSheet();
let mounted: readonly StyleModule[] = [];

/**
 * Puts the rules of CodeMirror into a constructed style sheet: the page's Content-Security-Policy refuses the `style`
 * element that they would go into. Later modules win over earlier ones.
 */
export function mountInConstructedSheet(): void {
  document.adoptedStyleSheets.push(sheet);
  StyleModule.mount = (_root, modules) => {
    const asked = [modules].flat();
    const others = mounted.filter((module) => !asked.includes(module));
    const isKnown = others.length + asked.length === mounted.length;
    mounted = [...others, ...asked];
    if (!isKnown) sheet.replaceSync(mounted.map((module) => module.getRules()).join('\n'));
  };
}
