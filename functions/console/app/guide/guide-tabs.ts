/** The last choice of a person, for all pages of the tab. */
const KEY = 'tributary.guide.tab';

const STEPS = new Map([
  ['ArrowRight', 1],
  ['ArrowLeft', -1],
]);

const groups: { choose: (name: string) => void }[] = [];

/** Makes tabs of alternatives. Without this program they stand below each other. */
export function makeTabs(): void {
  for (const [n, group] of document.querySelectorAll<HTMLElement>('.tabbed').entries()) makeGroup(group, n);
  const chosen = sessionStorage.getItem(KEY);
  if (chosen !== null) for (const { choose } of groups) choose(chosen);
}

function makeGroup(group: HTMLElement, n: number): void {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Where the service runs');
  const tabs = [...group.querySelectorAll<HTMLElement>(':scope > [data-tab]')].map((panel, index) => {
    const name = panel.dataset['tab'] ?? '';
    const tab = document.createElement('button');
    Object.assign(tab, { type: 'button', textContent: name, id: `tab-${n}-${index}` });
    Object.assign(panel, { id: `panel-${n}-${index}`, tabIndex: 0 });
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    list.append(tab);
    return { name, tab, panel };
  });
  const choose = (name: string): void => {
    if (!tabs.some((each) => each.name === name)) return;
    for (const { name: own, tab, panel } of tabs) {
      tab.setAttribute('aria-selected', String(own === name));
      tab.tabIndex = own === name ? 0 : -1;
      panel.hidden = own !== name;
    }
  };
  for (const [index, { name, tab }] of tabs.entries()) {
    tab.addEventListener('click', () => chooseEverywhere(name));
    tab.addEventListener('keydown', ({ key }) => {
      const step = STEPS.get(key);
      if (step === undefined) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      if (!next) return;
      chooseEverywhere(next.name);
      next.tab.focus();
    });
  }
  group.prepend(list);
  choose(tabs[0]?.name ?? '');
  groups.push({ choose });
}

function chooseEverywhere(name: string): void {
  sessionStorage.setItem(KEY, name);
  for (const { choose } of groups) choose(name);
}
