import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import {
  GCP_KEY_VERSION,
  findInMemory,
  formsOfKeys,
  gcpSignerFile,
  startGcpKmsServer,
} from '@tetrad/testkit';
import { createNodeHome } from '../node-process.js';
import { post } from '../running-node.js';

const KEY = Buffer.from('5d'.repeat(16) + 'a7'.repeat(16), 'hex');

const onLinux = process.platform === 'linux' ? it : it.skip;
onLinux('a node has no key of an account in its memory that signs in a service', async () => {
  const kms = await startGcpKmsServer();
  const home = await createNodeHome([]);
  try {
    kms.addKey(GCP_KEY_VERSION, KEY);
    const address = addressFromPrivateKey(KEY);
    const account = join(home.folder, 'account.json');
    await writeFile(account, kms.accountFile, { mode: 0o600 });
    const file = join(home.folder, 'keystore', `${address.slice(2)}.toml`);
    await writeFile(file, gcpSignerFile(kms, account), { mode: 0o600 });
    const node = await home.start(['--keystore-dir', join(home.folder, 'keystore')]);
    try {
      expect((await post(home.url, 'eth_sign', [address, '0x01'])).result).toMatch(/^0x[0-9a-f]{130}$/);
      // What the node logs in with is there, which shows that the search finds things.
      const held = new Map([['database', Buffer.from(home.databaseUrl)]]);
      const found = await findInMemory(node.pid, new Map([...formsOfKeys({ service: KEY }), ...held]));
      expect([...found]).toEqual(['database']);
    } finally {
      await node.stop();
    }
  } finally {
    await home.remove();
    await kms.stop();
  }
});
