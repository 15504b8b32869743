import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECP256K1_ORDER, addressFromPrivateKey, keccak256 } from '@tetrad/crypto';
import { TraceCollector } from '@tetrad/service/trace-collector';
import {
  VAULT_TOKEN,
  answerVault,
  childrenOf,
  createTestDatabase,
  findInMemory,
  findMoto,
  findSoftHsm,
  formsOfKeys,
  freePorts,
  startVaultServer,
  until,
  type VaultServer,
} from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { Transaction } from 'ethers/transaction';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import type { ServiceFault } from '../key-services/faulty-key-service.js';
import {
  AZURE_KEY,
  GCP_KEY,
  OUTCOMES,
  startAwsSource,
  startAzureSource,
  startGcpSource,
  startHsmSource,
  writeSigner,
  type FaultySource,
  type Outcome,
} from '../key-services/faulty-sources.js';
import { runSigner, type SignerProcess } from '../signer-process.js';

const python = findMoto();
const library = findSoftHsm();
// Hashes, which are nowhere by chance.
const VAULT_KEY = keccak256(Uint8Array.of(7));
const HEALTHY = addressFromPrivateKey(VAULT_KEY);
const FAULTS = Object.keys(OUTCOMES) as ServiceFault[];
const AT_ONCE = 16;

let folder: string;
let node: FakeNode;
let signer: SignerProcess;
let collector: TraceCollector;
let vault: VaultServer;
let url: string;
let opsUrl: string;
let sources: readonly FaultySource[] = [];
let databaseUrl: string;
/** Keys that were loaded from a vault. */
const loaded = new Map([[HEALTHY, VAULT_KEY]]);
/** All that callers were told. */
const answers: string[] = [];
const closers: (() => Promise<unknown> | void)[] = [];

/** The key of a signer file, which is read from the vault. */
async function addToVault(vault: VaultServer, privateKey: Uint8Array): Promise<Address> {
  const account = addressFromPrivateKey(privateKey);
  vault.secrets.set(account, { value: Buffer.from(privateKey).toString('hex') });
  await writeSigner(
    folder,
    account,
    `type = "hashicorp-signer"\nkeyPath = "/v1/secret/data/${account}"\ntoken = "${VAULT_TOKEN}"\nserverHost = "127.0.0.1"\n` +
      `serverPort = ${vault.port}\ntlsEnable = false\n`,
  );
  return account;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-key-faults-'));
  [node, collector, vault] = await Promise.all([startFakeNode(), TraceCollector.start(), startVaultServer()]);
  await addToVault(vault, VAULT_KEY);
  sources = await Promise.all([
    startAzureSource(folder),
    startGcpSource(folder),
    ...(python === undefined ? [] : [startAwsSource(folder, python)]),
    ...(library === undefined ? [] : [startHsmSource(folder, library)]),
  ]);
  const database = await createTestDatabase('signer');
  databaseUrl = database.url;
  closers.push(() => database.drop());
  const first = await freePorts(2);
  [url, opsUrl] = [`http://127.0.0.1:${first}`, `http://127.0.0.1:${first + 1}`];
  const flags = {
    'chain-id': '9',
    'downstream-http-port': String(node.port),
    'http-listen-port': String(first),
    'ops-listen-port': String(first + 1),
    'multikey-signer-directory': folder,
    'log-level': 'debug',
    'tracing-endpoint': collector.url,
    'tracing-sample-ratio': '1',
  };
  const environment = sources.map((source) => source.environment);
  signer = runSigner(
    Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
    Object.assign({ TETRAD_SIGNER_DATABASE_URL: databaseUrl }, ...environment),
  );
  await until(async () => (await accounts()).length === sources.length + 1);
});
afterAll(async () => {
  await signer?.stop();
  const services = [node, vault, ...sources];
  await Promise.all([...closers.map((close) => close()), ...services.map((service) => service?.stop())]);
  await Promise.all([collector?.close(), rm(folder, { recursive: true, force: true })]);
});

interface Answer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { readonly data?: { readonly reason?: string } };
}

async function post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  answers.push(text);
  return { status: response.status, text };
}

async function call(method: string, params: readonly unknown[]): Promise<Answer> {
  const { status, text } = await post('/', { jsonrpc: '2.0', id: 1, method, params });
  return { status, ...(JSON.parse(text) as object) };
}

async function accounts(): Promise<readonly string[]> {
  const listed = (await call('eth_accounts', []).catch(() => undefined))?.result;
  return Array.isArray(listed) ? (listed as string[]) : [];
}

/** Each transaction has a value of its own, by which it is found again. */
let values = 0;
const refusedValues: bigint[] = [];

async function send(from: Address): Promise<Answer> {
  const value = BigInt((values += 1));
  const to = HEALTHY;
  const transaction = { from, to, gas: '0x5208', gasPrice: '0x0', value: `0x${value.toString(16)}` };
  const answer = await call('eth_sendTransaction', [transaction]);
  if (answer.error !== undefined) refusedValues.push(value);
  return answer;
}

const signs = (account: Address) => until(async () => (await send(account)).error === undefined);

async function readiness(): Promise<string> {
  const text = await (await fetch(`${opsUrl}/readyz`)).text();
  answers.push(text);
  return text;
}

async function meets({ name, account }: FaultySource, outcome: Outcome): Promise<void> {
  if (outcome === 'signs') return signs(account);
  expect({ name, ...(await send(account)) }).toMatchObject({
    name,
    status: 503,
    error: { data: { reason: 'KEY_UNAVAILABLE', account } },
  });
}

describe('a signer with keys in several services', () => {
  it.each(FAULTS)(
    'refuses or signs, names the keys it misses, and goes on afterwards, when each service %s',
    async (fault) => {
      const outcome = OUTCOMES[fault];
      try {
        for (const source of sources) source.setFault(fault);
        await Promise.all([...sources.map((source) => meets(source, outcome)), signs(HEALTHY)]);
        const said = await readiness();
        for (const { account } of sources)
          expect([account, said.includes(account)]).toEqual([account, outcome === 'refuses']);
        expect(said).not.toContain(HEALTHY);
      } finally {
        for (const source of sources) source.setFault(undefined);
      }
      await Promise.all(sources.map(({ account }) => signs(account)));
      const now = await readiness();
      for (const { account } of sources) expect(now).not.toContain(account);
    },
  );

  it('refuses no transaction of many at once when the credentials of all services expire meanwhile', async () => {
    const sent = sources.flatMap(({ account }) => Array.from({ length: AT_ONCE }, () => send(account)));
    await Promise.race(sent);
    for (const source of sources) source.setFault('lets credentials expire');
    const more = sources.flatMap(({ account }) => Array.from({ length: AT_ONCE }, () => send(account)));
    const refused = (await Promise.all([...sent, ...more])).filter(({ error }) => error !== undefined);
    for (const source of sources) source.setFault(undefined);
    expect(refused).toEqual([]);
  });
});

/** What a vault does while a key that was added is loaded from it. */
const VAULT_FAULTS: Readonly<Record<string, NonNullable<VaultServer['fault']>>> = {
  throttles: (_request, response) => answerVault(response, 429, { errors: ['rate limit quota exceeded'] }),
  denies: (_request, response) => answerVault(response, 403, { errors: ['permission denied'] }),
  'is sealed': (_request, response) => answerVault(response, 503, { errors: ['Vault is sealed'] }),
  'closes the connection': (request) => void request.socket.destroy(),
  hangs: () => undefined,
  'has another key in its place': (_request, response) =>
    answerVault(response, 200, { data: { data: { value: '11'.repeat(32) }, metadata: {} } }),
  'has no key in its place': (_request, response) =>
    answerVault(response, 200, { data: { data: { value: 'none' }, metadata: {} } }),
};

describe('a key in HashiCorp Vault that is added', () => {
  it.each(Object.keys(VAULT_FAULTS))(
    'is named and comes afterwards, and the others sign, when the vault %s',
    async (fault) => {
      const privateKey = keccak256(Buffer.from(fault));
      const other = await startVaultServer();
      const account = await addToVault(other, privateKey);
      loaded.set(account, privateKey);
      other.fault = VAULT_FAULTS[fault];
      expect((await post('/reload', {})).status).toBe(202);
      // By the name of its file.
      await until(async () => (await readiness()).includes(account.slice(2)));
      await Promise.all([HEALTHY, ...sources.map((source) => source.account)].map(signs));
      expect(await accounts()).not.toContain(account);
      other.fault = undefined;
      await until(async () => (await accounts()).includes(account));
      await signs(account);
      expect(await readiness()).not.toContain(account.slice(2));
      await other.stop();
    },
  );
});

describe('after all of that, the signer', () => {
  it('has sent each transaction once, with consecutive nonces, and none that it refused', () => {
    // Each sender is recovered once: `from` is a getter, and slow.
    const sent = node.submitted().map((raw) => {
      const { from, nonce, value, signature } = Transaction.from(raw as string);
      return { from: from?.toLowerCase(), nonce, value, signature };
    });
    for (const account of [...loaded.keys(), ...sources.map((source) => source.account)]) {
      const own = sent.filter(({ from }) => from === account);
      const nonces = own.map(({ nonce }) => nonce).sort((one, other) => one - other);
      expect(nonces).toEqual(nonces.map((_nonce, index) => index + 1));
      expect(own.length).toBeGreaterThan(0);
    }
    const sentValues = sent.map(({ value }) => value);
    expect(new Set(sentValues).size).toBe(sentValues.length);
    expect(refusedValues.filter((value) => sentValues.includes(value))).toEqual([]);
    for (const { signature } of sent) expect(BigInt(signature?.s ?? -1) <= SECP256K1_ORDER / 2n).toBe(true);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('has no key that signs elsewhere in its memory, where a core file would have it', async () => {
    const elsewhere = formsOfKeys({ azure: AZURE_KEY, google: GCP_KEY });
    const held = new Map([
      ['key of the vault', VAULT_KEY],
      ['login of the vault', Buffer.from(VAULT_TOKEN)],
    ]);
    const found = await findInMemory(signer.pid, new Map([...elsewhere, ...held]));
    // What it signs and logs in with by itself is there, which shows that the search finds things.
    expect([...found].sort()).toEqual([...held.keys()].sort());
    const ofService = new Map([...held, ['database', Buffer.from(databaseUrl)]]);
    for (const child of await childrenOf(signer.pid))
      expect([...(await findInMemory(child, new Map([...elsewhere, ...ofService])))]).toEqual([]);
  });

  it('has shown no PIN, token, password or private key in logs, answers, metrics or traces', async () => {
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    await signer.stop();
    const { stdout, stderr } = signer.output();
    const traces = collector.bodies.join('\n');
    const keys = [...loaded.values()].map((key) => Buffer.from(key).toString('hex'));
    expect([stdout.length + stderr.length > 1_000, collector.spans.length > 0]).toEqual([true, true]);
    for (const secret of [VAULT_TOKEN, ...keys, ...sources.flatMap((source) => source.secrets)])
      for (const said of [stdout, stderr, traces, metrics, answers.join('\n')])
        expect(said.includes(secret) ? secret : '').toBe('');
  });
});
