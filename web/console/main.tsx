import { renderPage } from '../common/components.tsx';
import './console.css';
import './brand/brand.css';
import './forms/forms.css';
import { App } from './app.tsx';
import { checkSession, checkSessionAfterBack } from './session.ts';

void checkSession();
addEventListener('pageshow', checkSessionAfterBack);
renderPage(<App />);
