import { ViewHeading } from '../../shared/components.tsx';

export function UserView({ id }: { readonly id: string }) {
  return <ViewHeading title="User">User {id}</ViewHeading>;
}
