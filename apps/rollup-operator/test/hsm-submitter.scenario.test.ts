import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, addressFromPublicKey } from '@tetrad/crypto';
import { Pkcs11Token } from '@tetrad/remote-keys';
import {
  GCP_KEY_VERSION,
  createTestDatabase,
  findInMemory,
  findSoftHsm,
  formsOfKeys,
  gcpSignerFile,
  startGcpKmsServer,
  startSoftHsm,
  type SoftHsm,
} from '@tetrad/testkit';
import { systemClock, type Address } from '@tetrad/types';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { OperatorHome, type Deployed } from './operator-process.js';

const library = findSoftHsm();
const describeHere = library === undefined ? describe.skip : describeWithAnvil;

describeHere('an operator whose submitting key is in an HSM', () => {
  let hsm: SoftHsm;
  let chain: TestChain;
  let folder: string;
  let submitter: Address;
  let file: string;
  let before: OperatorHome;
  let after: OperatorHome;
  let deployed: Deployed;

  beforeAll(async () => {
    hsm = startSoftHsm(library as string);
    folder = await mkdtemp(join(tmpdir(), 'tetrad-submitter-'));
    submitter = await createKey();
    file = join(folder, `${submitter.slice(2)}.toml`);
    const lines = {
      library,
      'token-label': hsm.tokenLabel,
      'pin-file': hsm.pinFile,
      'key-label': 'submitter',
    };
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    await writeFile(file, ['[signing]', 'type = "pkcs11-signer"', ...text].join('\n'), { mode: 0o600 });
    chain = await startChain();
    await chain.send({ from: chain.accounts[0] as Address, to: submitter, value: 10n ** 18n });
    before = (await OperatorHome.make(chain.url)).withSubmitterFile(file);
    after = await before.withNewKey();
    deployed = await before.deploy(['--batch-sizes', '2']);
  });

  afterAll(async () => {
    await before?.remove();
    await chain?.stop();
    hsm?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function createKey(): Promise<Address> {
    const { tokenLabel, pinFile } = hsm;
    const token = new Pkcs11Token(
      { library: library as string, tokenLabel, pinFile, sessions: 1, timeoutMs: 60_000 },
      { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
    );
    const address = addressFromPublicKey(await token.generate({ label: 'submitter' }));
    token.close();
    return address;
  }

  it('deploys the contract with it, as its operator', () => {
    expect(deployed.operator).toBe(submitter);
  });

  it('announces a key with it', async () => {
    const transactionHash: unknown = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(await after.announceKey(deployed.contract)).toMatchObject({ transactionHash });
  });

  it('says in one line why the service does not sign', async () => {
    hsm.writePin('13579');
    try {
      await expect(before.deploy(['--batch-sizes', '2'])).rejects.toThrow(
        new RegExp(`deploy: ${submitter}: PKCS#11 token bank.*the PIN is wrong`),
      );
    } finally {
      hsm.writePin(hsm.pin);
    }
  });

  (process.platform === 'linux' ? it : it.skip)(
    'has no key of another service in its memory, which signs for it there',
    async () => {
      const [kms, rows] = [await startGcpKmsServer(), await createTestDatabase('rollup-operator')];
      const key = Buffer.from('5d'.repeat(16) + 'a7'.repeat(16), 'hex');
      const signer = addressFromPrivateKey(key);
      kms.addKey(GCP_KEY_VERSION, key);
      const account = join(folder, 'account.json');
      await writeFile(account, kms.accountFile, { mode: 0o600 });
      const named = join(folder, `${signer.slice(2)}.toml`);
      await writeFile(named, gcpSignerFile(kms, account), { mode: 0o600 });
      await chain.send({ from: chain.accounts[0] as Address, to: signer, value: 10n ** 18n });
      const home = (await OperatorHome.make(chain.url)).withSubmitterFile(named);
      try {
        const contract = await home.deploy(['--batch-sizes', '2']);
        expect(contract.operator).toBe(signer);
        const running = await home.start(contract, { databaseUrl: rows.url, roles: 'batcher' });
        try {
          // What the operator logs in with is there, which shows that the search finds things.
          const held = new Map([['database', Buffer.from(rows.url)]]);
          const found = await findInMemory(running.pid, new Map([...formsOfKeys({ service: key }), ...held]));
          expect([...found]).toEqual(['database']);
        } finally {
          await running.stop();
        }
      } finally {
        await home.remove();
        await rows.drop();
        await kms.stop();
      }
    },
  );

  it('takes no password for it', async () => {
    const flags = ['--submitter-password-file', join(folder, 'none')];
    await expect(before.deploy(flags)).rejects.toThrow(/--submitter-password-file: is not of a TOML file/);
  });
});
