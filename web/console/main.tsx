import { render } from 'preact';
import './console.css';
import { App } from './app.tsx';
import { checkSession } from './session.ts';

void checkSession();
render(<App />, document.getElementById('app')!);
