/** Sign-ins by their way. */
import type { Dashboard } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { Panel } from '../../common/panel.tsx';
import { Fact } from '../list/fact.tsx';

const WAYS = {
  password: 'Password',
  provider: 'Provider',
  email: 'Email',
  second_factor: 'Two-step',
} as const;

export function SignIns({ counts }: { readonly counts: Dashboard['sign_ins'] }) {
  return (
    <Panel title="Sign-ins" id="sign-ins" beside={<p class="context">in 30 days</p>}>
      <dl class="facts">
        {(Object.keys(WAYS) as (keyof typeof WAYS)[]).map((way) => (
          <Fact key={way} name={WAYS[way]}>
            {formatCount(counts[way])}
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}
