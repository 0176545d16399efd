/** Credentials of the administrator that are accepted. */
export interface AdminCredentials {
  /** Returns the accepted credentials. */
  readonly accepted: () => readonly string[];
  /** Looks for a credential that was added since. Returns whether there is one, which is accepted from now on. */
  readonly refresh: () => boolean;
}

/** Returns credentials that do not change. */
export function createFixedCredentials(credentials: readonly string[]): AdminCredentials {
  return { accepted: () => credentials, refresh: () => false };
}

/** Creates a check of the accepted credentials by a derived value, and of a new one if `mayBeNew`. */
export function createCredentialCheck<T>(
  { accepted, refresh }: AdminCredentials,
  derive: (credential: string) => T,
): (matches: (derived: T) => boolean, mayBeNew: boolean) => boolean {
  const derived = new Map<string, T>();
  const deriveOnce = (credential: string) => {
    const value = derived.get(credential) ?? derive(credential);
    derived.set(credential, value);
    return value;
  };
  return (matches, mayBeNew) => {
    // All are compared, so that the time does not reveal which one matched.
    const isAccepted = () =>
      accepted()
        .map((one) => matches(deriveOnce(one)))
        .includes(true);
    return isAccepted() || (mayBeNew && refresh() && isAccepted());
  };
}
