/** The forms of the service, and the check of fields of forms that applications store themselves. */
import { lazyView } from '../../common/lazy-view.tsx';
import { query } from '../../common/router.tsx';
import { Forms } from './forms.tsx';

const FormCheck = lazyView(async () => (await import('../views.ts')).FormCheck);

export function FormsPage() {
  return query.value.get('view') === 'check' ? <FormCheck /> : <Forms />;
}
