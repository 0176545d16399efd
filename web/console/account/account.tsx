/** The page of the credential that is signed in. */

import { PageHead, Panel } from '../../common/panel.tsx';
import { formatScopes } from '../credentials/credential-record.tsx';
import { Fact } from '../list/fact.tsx';
import { formatSignedIn, signedIn } from '../permissions.ts';
import { FirstOwner, TwoStep } from './two-step.tsx';

export function Account() {
  const { id, scopes } = signedIn.value!;
  return (
    <>
      <PageHead title="Your credential" context="You are signed in with it. Events name it." />
      <div class="columns even">
        {id === null ? <FirstOwner /> : <TwoStep />}
        <Panel title="Credential" id="own-credential">
          <dl class="facts">
            <Fact name="Name">
              <bdi>{formatSignedIn()}</bdi>
            </Fact>
            <Fact name="Scopes">{formatScopes({ scopes })}</Fact>
          </dl>
        </Panel>
      </div>
    </>
  );
}
