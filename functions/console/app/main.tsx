import './last-resort.ts';
import './locale.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { keepPresses } from './keep-presses.ts';
import { Portal } from './portal/portal.tsx';
import './design/style.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element for the app.');
keepPresses();
render(location.pathname.startsWith('/portal') ? <Portal /> : <App />, root);
