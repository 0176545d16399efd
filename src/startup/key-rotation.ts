import { createKeySeal } from '../features/tokens/signing-keys/key-seal.ts';
import { type RotateKeysDeps, rotateKeysWhenDue } from '../features/tokens/signing-keys/rotate-keys.ts';

interface KeyRotationSettings {
  readonly jwtAudiences: readonly string[];
}

interface KeyRotationDeps extends Omit<RotateKeysDeps, 'keySeal'> {
  readonly secretKey: string;
}

/** Returns the step of the housekeeping that creates the next signing key; none if no service verifies tokens. */
export function createKeyRotation({ jwtAudiences }: KeyRotationSettings, deps: KeyRotationDeps) {
  if (jwtAudiences.length === 0) return undefined;
  const { database, clock, secretKey } = deps;
  const keySeal = createKeySeal(secretKey);
  return () => rotateKeysWhenDue({ database, clock, keySeal });
}
