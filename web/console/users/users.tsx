import { ViewHeading } from '../../shared/components.tsx';

export function Users() {
  return <ViewHeading title="Users">Users</ViewHeading>;
}
