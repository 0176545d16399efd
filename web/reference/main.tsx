import { render } from 'preact';
import './reference.css';
import { Reference } from './reference.tsx';

render(<Reference />, document.getElementById('app')!);
