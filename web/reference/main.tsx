import { render } from 'preact';
import { ViewHeading } from '../shared/components.tsx';

render(<ViewHeading title="API reference">API reference</ViewHeading>, document.getElementById('app')!);
