import type { Address, LocalAccount } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import type { HttpNetwork } from './hardhat-types.js';

/**
 * Who sends: the account that a call names, else `from` of the network, else its first account. An account whose key the configuration has
 * signs here, any other one at the node.
 *
 * @param network - configuration of the network
 * @param asked - addresses of the accounts of the node, asked for when they are needed
 * @param named - by the call
 * @returns the account
 * @throws Error where there is none
 */
export async function chooseSender(
  network: HttpNetwork,
  asked: () => Promise<readonly Address[]>,
  named?: Address | LocalAccount,
): Promise<Address | LocalAccount> {
  if (typeof named === 'object') return named;
  const wanted = named ?? (network.from as Address | undefined);
  const local = await localAccounts(network.accounts);
  const own = local.find(
    ({ address }) => wanted === undefined || address.toLowerCase() === wanted.toLowerCase(),
  );
  const sender = own ?? wanted ?? (await asked())[0];
  if (sender === undefined)
    throw new Error('account: is needed: the node has none, nor has the configuration');
  return sender;
}

async function localAccounts(accounts: HttpNetwork['accounts']): Promise<readonly LocalAccount[]> {
  if (accounts === 'remote') return [];
  if (!('mnemonic' in accounts))
    return Promise.all(
      accounts.map(async (key) => privateKeyToAccount((await key.getHexString()) as `0x${string}`)),
    );
  const { mnemonic, passphrase, path, initialIndex } = accounts;
  const options = {
    passphrase: await passphrase.get(),
    path: `${path}/${initialIndex}` as `m/44'/60'/${string}`,
  };
  return [mnemonicToAccount(await mnemonic.get(), options)];
}
