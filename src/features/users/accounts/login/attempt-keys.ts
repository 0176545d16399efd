/** Keys under which login attempts are counted. */
import { getNetwork } from '../../../../lib/network.ts';

/** Applied to accounts and networks before they are stored. */
export type HashKey = (text: string) => string;

export interface AttemptKeys {
  readonly network: string;
  readonly account: string;
  readonly pair: string;
}

/** Returns the keys of an attempt at an account from an address. */
export function attemptKeys(
  { accountKey, clientIp }: { readonly accountKey: string; readonly clientIp: string },
  hash: HashKey,
): AttemptKeys {
  const network = hash(`network:${getNetwork(clientIp)}`);
  return { network, ...accountKeys({ accountKey, network }, hash) };
}

/** Returns the keys of an account, and of the account from a network, which is hashed already. */
export function accountKeys(
  { accountKey, network }: { readonly accountKey: string; readonly network: string },
  hash: HashKey,
): Pick<AttemptKeys, 'account' | 'pair'> {
  const account = hash(`account:${accountKey}`);
  return { account, pair: hash(`pair:${account}:${network}`) };
}
