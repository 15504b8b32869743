import { defineOptions, option, textOption } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import type { CoinPrivateKey } from '@tetrad/wallet-key';
import { addKey } from '@tetrad/wallet-signing';
import type { OpenWallet } from '../open-wallet.js';
import { operator } from './define-command.js';

export const labelOption = defineOptions({
  label: option(textOption(), { group: 'Keys', description: 'Label of the key, shown by list --long.' }),
});

const MAX_LABEL = 100;

/**
 * Stores a key sealed, and wipes it.
 * @throws RequestError KEY_EXISTS; OperatorError on a bad label
 */
export async function storeKey(
  wallet: OpenWallet,
  key: CoinPrivateKey,
  about: {
    readonly action: 'create' | 'import';
    readonly label: string | undefined;
    readonly derivationPath?: string | undefined;
  },
): Promise<void> {
  const { action, label, derivationPath } = about;
  if (label !== undefined && (label.length > MAX_LABEL || !/^\P{C}*$/u.test(label))) {
    throw new OperatorError(`--label: must have at most ${MAX_LABEL} printable characters`);
  }
  const address = key.address();
  try {
    await key.use((privateKey) =>
      addKey(
        wallet,
        { address, kind: key.kind, privateKey, label, derivationPath },
        { requester: operator(), action },
      ),
    );
  } finally {
    key.wipe();
  }
}
