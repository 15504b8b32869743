import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import {
  GCP_KEY_VERSION,
  findInMemory,
  formsOfKeys,
  gcpSignerFile,
  runLoad,
  startGcpKmsServer,
} from '@tetrad/testkit';
import { formatCoinAddress, secp256k1Address } from '@tetrad/wallet-key';
import { createWalletHome } from '../wallet-home.js';

const KEY = Buffer.from('5d'.repeat(16) + 'a7'.repeat(16), 'hex');

const onLinux = process.platform === 'linux' ? it : it.skip;
onLinux('a wallet has no key in its memory that signs in a service', async () => {
  const kms = await startGcpKmsServer();
  const home = await createWalletHome();
  try {
    kms.addKey(GCP_KEY_VERSION, KEY);
    const publicKey = publicKeyFromPrivateKey(KEY);
    const address = formatCoinAddress(secp256k1Address(Uint8Array.of(4, ...publicKey)), 'main');
    const account = await home.file('account.json', kms.accountFile);
    const folder = join(home.folder, 'remote');
    await mkdir(folder);
    await writeFile(join(folder, `${address}.toml`), gcpSignerFile(kms, account), { mode: 0o600 });
    const wallet = await home.serve(['--multikey-signer-directory', folder]);
    try {
      const data = Buffer.from('signed elsewhere').toString('base64');
      const call = { url: home.url, connections: 1, method: 'Coin.WalletSign' };
      const [signed] = await runLoad([[address, data]], call);
      expect(signed?.result).toMatchObject({ Type: 1 });
      // What the wallet logs in with is there, which shows that the search finds things.
      const held = new Map([['database', Buffer.from(home.databaseUrl)]]);
      const found = await findInMemory(wallet.pid, new Map([...formsOfKeys({ service: KEY }), ...held]));
      expect([...found]).toEqual(['database']);
    } finally {
      await wallet.stop();
    }
  } finally {
    await home.remove();
    await kms.stop();
  }
});
