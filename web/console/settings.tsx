import { ViewHeading } from '../shared/components.tsx';

export function Settings() {
  return <ViewHeading title="Settings">Settings</ViewHeading>;
}
