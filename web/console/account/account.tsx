/** The page of the credential that is signed in. */

import { ViewHeading } from '../../common/components.tsx';
import { formatScopes } from '../credentials/credential-record.tsx';
import { Fact } from '../list/fact.tsx';
import { formatSignedIn, signedIn } from '../permissions.ts';
import { FirstOwner, TwoStep } from './two-step.tsx';

export function Account() {
  const { id, scopes } = signedIn.value!;
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Your credential">Your credential</ViewHeading>
          <p class="context">You are signed in with it. Events name it.</p>
        </div>
      </div>
      <div class="columns even">
        {id === null ? <FirstOwner /> : <TwoStep />}
        <section class="panel" aria-labelledby="own-credential">
          <header>
            <h2 id="own-credential">Credential</h2>
          </header>
          <dl class="facts">
            <Fact name="Name">
              <bdi>{formatSignedIn()}</bdi>
            </Fact>
            <Fact name="Scopes">{formatScopes({ scopes })}</Fact>
          </dl>
        </section>
      </div>
    </>
  );
}
