import { createKeySeal } from '../features/tokens/signing-keys/generate-key.ts';
import { type RotateKeysDeps, rotateKeysWhenDue } from '../features/tokens/signing-keys/rotate-keys.ts';

/** Returns the step of the housekeeping that creates the next signing key; none if no service verifies tokens. */
export function createKeyRotation(
  { jwtAudiences }: { readonly jwtAudiences: readonly string[] },
  { secretKey, ...deps }: Omit<RotateKeysDeps, 'keySeal'> & { readonly secretKey: string },
) {
  if (jwtAudiences.length === 0) return undefined;
  const keySeal = createKeySeal(secretKey);
  return () => rotateKeysWhenDue({ ...deps, keySeal });
}
