import './guide.css';
import { addCopyButtons } from './code-copies.ts';
import { startSearch } from './guide-search.ts';
import { makeTabs } from './guide-tabs.ts';

addCopyButtons();
makeTabs();
startSearch();
