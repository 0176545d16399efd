import { renderPage } from '../common/render-page.ts';
import './reference.css';
import { Reference } from './reference.tsx';

renderPage(<Reference />);
