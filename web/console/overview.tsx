import { ViewHeading } from '../shared/components.tsx';

export function Overview() {
  return <ViewHeading title="Overview">Overview</ViewHeading>;
}
