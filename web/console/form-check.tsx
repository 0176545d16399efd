import { ViewHeading } from '../shared/components.tsx';

export function FormCheck() {
  return <ViewHeading title="Form check">Form check</ViewHeading>;
}
