import { inspect } from 'node:util';
import { rename } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { recoverAddress } from '@tetrad/crypto';
import { DerivationThreads, deriveKey, type DeriveKey } from '@tetrad/keystore';
import {
  answerVault,
  freePorts,
  startVaultServer,
  until,
  VAULT_TOKEN,
  vaultPlaceOf,
  type VaultServer,
} from '@tetrad/testkit';
import {
  PASSWORD,
  addressesOf,
  createFolder,
  createKey,
  createKeys,
  vaultSigner,
  type KeyFolder,
  type TestKey,
} from './key-folder.js';
import { clearAfterEach, holdThreads, loadKeys, openKeys } from './open-keys.js';

clearAfterEach();

/** A signer file for a secret of the vault. */
const vaultFile = (vault: Pick<VaultServer, 'port'>, secret = 'one') =>
  vaultSigner({ ...vaultPlaceOf(vault, secret), tlsEnable: false });
const signerFiles = (folder: KeyFolder) => ({ kind: 'signer-files', directory: folder.path }) as const;

describe('a reload', () => {
  it('reports added, removed and failed keys in the result, in the log and to listeners', async () => {
    const folder = await createFolder();
    const [kept, gone, come] = (await createKeys(3)) as [TestKey, TestKey, TestKey];
    await folder.addFileSigner(kept);
    await folder.addRawSigner(gone);
    const opened = await loadKeys([signerFiles(folder)]);
    await folder.remove(`${gone.name}.toml`);
    await folder.addFileSigner(come);
    const bad = await folder.write('bad.toml', '');
    const difference = await opened.keys.reload();
    expect(difference).toMatchObject({
      added: [come.address],
      removed: [gone.address],
      failed: [{ name: bad }],
    });
    expect(opened.changes).toEqual([difference]);
    expect(opened.keys.list()).toEqual(addressesOf([kept, come]));
    expect(opened.lines.at(-1)).toEqual({
      level: 'info',
      message: 'keys changed',
      values: {
        added: [come.address],
        addedCount: 1,
        removed: [gone.address],
        removedCount: 1,
        failedCount: 1,
      },
    });
    // Nothing changes: nothing is said.
    const said = opened.lines.length;
    expect(await opened.keys.reload()).toMatchObject({ added: [], removed: [], failed: [{ name: bad }] });
    expect(opened.lines).toHaveLength(said);
    expect(opened.changes).toHaveLength(1);
  });

  it('keeps all keys available until it swaps, and finishes what is being signed with a key that goes', async () => {
    const folder = await createFolder();
    const [gone, slow] = [await createKey(), await createKey()];
    await folder.addRawSigner(gone);
    const { threads, release } = holdThreads();
    const { keys } = await loadKeys([signerFiles(folder)], { threads });
    await folder.remove(`${gone.name}.toml`);
    await folder.addFileSigner(slow);
    const reload = keys.reload();
    await until(() => keys.progress().running);
    expect(keys.list()).toEqual([gone.address]);
    expect(keys.notReady()).toBeUndefined();
    const digest = new Uint8Array(32).fill(1);
    const signing = keys.sign(gone.address, digest);
    release();
    await reload;
    const signature = await signing;
    expect(recoverAddress(digest, signature as NonNullable<typeof signature>)).toBe(gone.address);
    expect(keys.list()).toEqual([slow.address]);
    expect(await keys.sign(gone.address, digest)).toBeUndefined();
  });

  it('does not decrypt again what did not change, and does when the password file did', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await folder.addFileSigner(key);
    let derivations = 0;
    const startThread = () => ({
      derive(...job: Parameters<DeriveKey>) {
        derivations += 1;
        return deriveKey(...job);
      },
      stop: async () => undefined,
    });
    const { keys } = await loadKeys([signerFiles(folder)], {
      threads: new DerivationThreads({ startThread }),
    });
    expect(derivations).toBe(1);
    expect(await keys.reload()).toEqual({ added: [], removed: [], failed: [] });
    expect(derivations).toBe(1);
    expect(keys.list()).toEqual([key.address]);
    await folder.write(`${key.name}.password`, `${PASSWORD} `);
    const { removed, failed } = await keys.reload();
    expect(removed).toEqual([key.address]);
    expect(failed).toHaveLength(1);
    expect(derivations).toBe(2);
  });

  it('leaves the keys as they were when a folder cannot be read', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await folder.addRawSigner(key);
    const opened = await loadKeys([signerFiles(folder)]);
    await rename(folder.path, `${folder.path}-away`);
    await expect(opened.keys.reload()).rejects.toThrow(`${folder.path}: cannot be read (ENOENT)`);
    expect(opened.keys.list()).toEqual([key.address]);
    expect(opened.keys.requestReload().outcome).toBe('accepted');
    await until(() => opened.keys.reloadStatus().status === 'failed');
    expect(opened.keys.reloadStatus().lastError).toBe(`${folder.path}: cannot be read (ENOENT)`);
    expect(opened.lines.at(-1)).toMatchObject({ level: 'error', message: 'keys not reloaded' });
    await rename(`${folder.path}-away`, folder.path);
  });

  it('asked for by request answers as web3signer does (SP-31)', async () => {
    const folder = await createFolder();
    const { keys } = await loadKeys([signerFiles(folder)]);
    expect(keys.reloadStatus()).toEqual({ status: 'idle', lastOperationTime: null, lastError: null });
    const key = await createKey();
    await folder.addFileSigner(key);
    expect(keys.requestReload()).toMatchObject({ outcome: 'accepted', body: { status: 'accepted' } });
    expect(keys.reloadStatus().status).toBe('running');
    expect(keys.requestReload()).toMatchObject({ outcome: 'in progress', body: { status: 'error' } });
    await until(() => keys.reloadStatus().status === 'completed');
    expect(keys.list()).toEqual([key.address]);
    await folder.write('bad.toml', '');
    expect(keys.requestReload().outcome).toBe('accepted');
    await until(() => keys.reloadStatus().status === 'completed_with_errors');
    expect(keys.reloadStatus().lastError).toContain(`${folder.path}/bad.toml: the name of a signer file`);
  });
});

describe('while the first load runs', () => {
  it('keys sign as soon as they are loaded, and progress is reported', async () => {
    const folder = await createFolder();
    const quick = await createKey();
    await folder.addRawSigner(quick);
    // One alone is held: on a host with one core two files are opened at a time, and the order is that of random names.
    await folder.addFileSigner(await createKey());
    await folder.write('bad.toml', '');
    const { threads, release } = holdThreads();
    const { keys } = await openKeys([signerFiles(folder)], { threads });
    await until(() => keys.has(quick.address));
    expect(keys.progress()).toMatchObject({ total: 3, running: true });
    expect(keys.notReady()).toMatch(/^1 of 3 keys loaded, [01] failed$/);
    expect(await keys.sign(quick.address, new Uint8Array(32).fill(1))).toBeDefined();
    release();
    const seen: number[] = [];
    await until(() => {
      seen.push(keys.progress().loaded);
      return !keys.progress().running;
    });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(keys.progress()).toEqual({ total: 3, loaded: 2, failed: 1, running: false });
    expect(keys.notReady()).toBeUndefined();
  });

  it('a reload waits for it', async () => {
    const folder = await createFolder();
    await folder.addFileSigner(await createKey());
    const { threads, release } = holdThreads();
    const { keys } = await openKeys([signerFiles(folder)], { threads });
    const late = await createKey();
    await folder.addRawSigner(late);
    expect(keys.requestReload().outcome).toBe('accepted');
    release();
    await until(() => keys.reloadStatus().status === 'completed');
    expect(keys.progress()).toMatchObject({ total: 2, loaded: 2 });
  });

  it('closing ends it', async () => {
    const folder = await createFolder();
    for (const key of await createKeys(3)) await folder.addFileSigner(key);
    const { threads, release } = holdThreads();
    const { keys, lines } = await openKeys([signerFiles(folder)], { threads });
    keys.close();
    release();
    await keys.whenLoaded();
    expect(lines).toEqual([]);
  });
});

describe('changes on the disk', () => {
  const quick = { watch: true, watchQuietMs: 20 };

  it('are taken in without a request', async () => {
    const folder = await createFolder();
    const [first, second] = [await createKey(), await createKey()];
    await folder.addRawSigner(first);
    const { keys } = await loadKeys([signerFiles(folder)], quick);
    await folder.addFileSigner(second);
    await until(() => keys.has(second.address));
    await folder.remove(`${first.name}.toml`);
    await until(() => !keys.has(first.address));
    expect(keys.list()).toEqual([second.address]);
    expect(keys.reloadStatus().status).toBe('idle');
  });

  it('are detected by polling where the file system sends no event', async () => {
    const [folder, elsewhere] = [await createFolder(), await createFolder()];
    const [before, after] = [await createKey(), await createKey()];
    const keyFile = await elsewhere.write('key', before.keyFile);
    await elsewhere.write('password', PASSWORD);
    for (const key of [before, after]) {
      await folder.write(
        `${key.name}.toml`,
        `[signing]\ntype = "file-based-signer"\nkey-file = "${keyFile}"\npassword-file = "${elsewhere.path}/password"\n`,
      );
    }
    const { keys, lines } = await loadKeys([signerFiles(folder)], { ...quick, watchPeriodMs: 50 });
    expect(keys.list()).toEqual([before.address]);
    await elsewhere.write('key', after.keyFile);
    await until(() => keys.has(after.address));
    expect(keys.list()).toEqual([after.address]);
    // A failure is logged once, however often the folder is polled.
    const logged = lines.filter(({ message }) => message === 'key not loaded');
    expect(logged.map(({ values }) => values.name)).toEqual(
      [after, before].map(({ name }) => `${folder.path}/${name}.toml`),
    );
  });
});

describe('keys in vaults', () => {
  const backOff = { vaultBackOff: { firstMs: 5, maxMs: 20 } };

  it('come when their vault is back, while the keys of other sources are served', async () => {
    const folder = await createFolder();
    const [local, first, second] = (await createKeys(3)) as [TestKey, TestKey, TestKey];
    // Not an ephemeral port, so that no outgoing connection takes it meanwhile.
    const port = await freePorts(1);
    await folder.addRawSigner(local);
    for (const key of [first, second]) {
      await folder.write(`${key.name}.toml`, vaultFile({ port }, key.name));
    }
    const opened = await loadKeys([signerFiles(folder)], backOff);
    expect(opened.keys.list()).toEqual([local.address]);
    expect(opened.keys.progress()).toMatchObject({ total: 3, loaded: 1, failed: 2 });
    expect(opened.keys.notReady()).toBeUndefined();
    expect(JSON.stringify(opened.lines)).toContain('cannot be reached (ECONNREFUSED)');
    const back = await startVaultServer({ port });
    for (const key of [first, second]) back.secrets.set(key.name, { value: `0x${key.hex}` });
    await until(() => opened.keys.list().length === 3);
    expect(opened.keys.progress()).toMatchObject({ total: 3, loaded: 3, failed: 0 });
    expect(
      opened.changes
        .map(({ added }) => added)
        .flat()
        .sort(),
    ).toEqual(addressesOf([first, second]));
    await back.stop();
  });

  it('stay when the vault is silent at a reload, and go when it no longer has them', async () => {
    const folder = await createFolder();
    const key = await createKey();
    const vault = await startVaultServer();
    vault.secrets.set('one', { key: key.hex });
    const file = vaultSigner({ ...vaultPlaceOf(vault), keyName: 'key', tlsEnable: false });
    await folder.write(`${key.name}.toml`, file);
    const { keys } = await loadKeys([signerFiles(folder)], {
      vaultBackOff: { firstMs: 60_000, maxMs: 60_000 },
    });
    vault.fault = (_request, response) => answerVault(response, 503, {});
    expect(await keys.reload()).toEqual({ added: [], removed: [], failed: [] });
    vault.fault = undefined;
    vault.secrets.delete('one');
    expect(await keys.reload()).toMatchObject({ added: [], removed: [key.address], failed: [{}] });
    vault.secrets.set('one', { key: key.hex });
    expect(await keys.reload()).toEqual({ added: [key.address], removed: [], failed: [] });
    await vault.stop();
  });

  it('of another address than the file is named for are not served', async () => {
    const folder = await createFolder();
    const [named, held] = [await createKey(), await createKey()];
    const vault = await startVaultServer();
    vault.secrets.set('one', { value: held.hex });
    await folder.write(`${named.name}.toml`, vaultFile(vault));
    const { keys, lines } = await loadKeys([signerFiles(folder)]);
    expect(keys.list()).toEqual([]);
    expect(lines[0]?.values.reason).toBe(
      `the file is named for ${named.address}, its key is that of ${held.address}`,
    );
    await vault.stop();
  });
});

it('keys show nothing secret when they are printed', async () => {
  const folder = await createFolder();
  const vault = await startVaultServer();
  const [raw, file, remote] = (await createKeys(3)) as [TestKey, TestKey, TestKey];
  await folder.addRawSigner(raw);
  await folder.addFileSigner(file);
  vault.secrets.set('one', { value: remote.hex });
  await folder.write(`${remote.name}.toml`, vaultFile(vault));
  const { keys, lines } = await loadKeys([signerFiles(folder)]);
  expect(keys.list()).toHaveLength(3);
  const printed =
    inspect(keys, { depth: 20, showHidden: true, maxArrayLength: null }) + JSON.stringify(lines);
  const bytes = (key: TestKey) => inspect(Buffer.from(key.hex, 'hex')).slice(8, 40);
  for (const key of [raw, file, remote]) {
    expect(printed).not.toContain(key.hex.slice(0, 20));
    expect(printed).not.toContain(bytes(key));
    expect(printed).not.toContain([...Buffer.from(key.hex, 'hex').subarray(0, 6)].join(', '));
  }
  expect(printed).not.toContain(VAULT_TOKEN);
  expect(printed).not.toContain(PASSWORD);
  await vault.stop();
});
