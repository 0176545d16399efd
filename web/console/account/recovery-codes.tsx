/** Recovery codes, which are shown once. */
import { CodeBlock } from '../../common/code-block.tsx';
import { Icon } from '../../common/icon.tsx';
import { saveFile } from '../list/save-file.ts';
import { formatSignedIn } from '../permissions.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n');
  const download = () => saveFile(new Blob([toFile(text)], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <>
      <p>
        Without your phone, you sign in with one of these. Each works once. They are{' '}
        <strong>shown only this once</strong>: print them, or keep them in a password manager, not on the
        phone.
      </p>
      <CodeBlock label="Recovery codes" text={text} wraps />
      <div class="buttons">
        <button type="button" onClick={download}>
          <Icon name="download" />
          Download
        </button>
        <button type="button" class="primary" onClick={onClose}>
          I have kept them
        </button>
      </div>
    </>
  );
}

/** Names the purpose of the codes: the file is found again years later. */
function toFile(codes: string): string {
  return `Recovery codes of ${formatSignedIn()} for the console at ${location.host}\nEach signs in once.\n\n${codes}\n`;
}
