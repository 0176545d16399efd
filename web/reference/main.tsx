import { renderPage } from '../common/components.tsx';
import './reference.css';
import { Reference } from './reference.tsx';

renderPage(<Reference />);
