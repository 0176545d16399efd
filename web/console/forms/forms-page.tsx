/** The forms of the service, and the check of fields of forms that applications store themselves. */
import { query } from '../../common/router.tsx';
import { FormCheck } from '../form-check/page.tsx';
import { Forms } from './page.tsx';

export function FormsPage() {
  return query.value.get('view') === 'check' ? <FormCheck /> : <Forms />;
}
