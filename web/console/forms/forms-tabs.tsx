/** The two parts of the page of forms. */
import { Link } from '../../common/router.tsx';
import { CHECK_VIEW, FORMS } from './record.tsx';

export function FormsTabs({ isCheck = false }: { readonly isCheck?: boolean }) {
  return (
    <nav class="tabs" aria-label="Forms">
      <Link to={FORMS} aria-current={isCheck ? undefined : 'page'}>
        Forms
      </Link>
      <Link to={CHECK_VIEW} aria-current={isCheck ? 'page' : undefined}>
        Check of fields
      </Link>
    </nav>
  );
}
