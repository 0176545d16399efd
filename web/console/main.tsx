import { renderPage } from '../common/render-page.ts';
import './console.css';
import { App } from './app.tsx';
import { checkSession } from './session.ts';

void checkSession();
renderPage(<App />);
