import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECP256K1_ORDER, addressFromPrivateKey, addressFromPublicKey, keccak256 } from '@tetrad/crypto';
import { AwsKms, Pkcs11Token } from '@tetrad/remote-keys';
import { TraceCollector } from '@tetrad/service/trace-collector';
import {
  VAULT_TOKEN,
  childrenOf,
  createTestDatabase,
  findInMemory,
  formsOfKeys,
  findMoto,
  findSoftHsm,
  freePorts,
  startAzureVaultServer,
  startGcpKmsServer,
  startMoto,
  startSoftHsm,
  startVaultServer,
  until,
  type SoftHsm,
} from '@tetrad/testkit';
import { systemClock, type Address } from '@tetrad/types';
import { Transaction } from 'ethers/transaction';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import {
  startFaultyKeyService,
  type FaultyKeyService,
  type ServiceFault,
} from '../key-services/faulty-key-service.js';
import {
  AWS_KMS,
  AZURE_KEY_VAULT,
  GOOGLE_CLOUD_KMS,
  type SignatureFormat,
} from '../key-services/signature-formats.js';
import { runSigner, type SignerProcess } from '../signer-process.js';

const python = findMoto();
const library = findSoftHsm();
const AWS_SECRET = 'aws-secret-not-to-be-shown';
const PIN = 'pin-of-tests-4711';
// Hashes, which are nowhere by chance.
const [AZURE_KEY, GCP_KEY, VAULT_KEY] = [5, 6, 7].map((byte) => keccak256(Uint8Array.of(byte))) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const HEALTHY = addressFromPrivateKey(VAULT_KEY);
const GCP_VERSION = 'projects/bank/locations/l/keyRings/desks/cryptoKeys/desk/cryptoKeyVersions/1';
/** For one signature; what hangs takes as long. */
const TIMEOUT_MS = 5_000;

type Outcome = 'signs' | 'refuses';

/** A key in a service whose faults a test sets. */
interface Source {
  readonly name: string;
  readonly account: Address;
  /** @returns what becomes of a transaction meanwhile */
  setFault(fault: ServiceFault | undefined): Outcome;
}

const REFUSED: ReadonlySet<ServiceFault> = new Set([
  'throttles',
  'denies',
  'fails',
  'closes the connection',
  'signs with another key',
  'gives a signature that does not recover',
  'hangs after having signed',
  'is replaced while it signs',
]);
const FAULTS: readonly ServiceFault[] = ['is slow', 'throttles twice', 'gives a high s', ...REFUSED];
/** Those that a library of an HSM can have. */
const HSM_FAULTS = {
  throttles: 'busy',
  fails: 'removed',
  'closes the connection': 'crash',
  'hangs after having signed': 'hang',
} as const;

let folder: string;
let node: FakeNode;
let signer: SignerProcess;
let collector: TraceCollector;
let url: string;
let opsUrl: string;
const sources: Source[] = [];
let databaseUrl: string;
const secrets: string[] = [VAULT_TOKEN, AWS_SECRET, PIN];
/** All that callers were told. */
const answers: string[] = [];
const closers: (() => Promise<unknown> | void)[] = [];

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

const writeSigner = (account: Address, lines: string) =>
  write(`${account.slice(2)}.toml`, `[signing]\ntimeout = ${TIMEOUT_MS}\n${lines}`);

async function addFaulty(
  name: string,
  account: Address,
  target: string,
  format: SignatureFormat,
): Promise<FaultyKeyService> {
  const service = await startFaultyKeyService(target, format);
  closers.push(() => service.stop());
  const setFault = (fault: ServiceFault | undefined): Outcome => {
    service.setFault(fault);
    return fault !== undefined && REFUSED.has(fault) ? 'refuses' : 'signs';
  };
  sources.push({ name, account, setFault });
  return service;
}

async function addAzure(): Promise<void> {
  const vault = await startAzureVaultServer();
  closers.push(() => vault.stop());
  vault.addVersion('desk', AZURE_KEY);
  const account = addressFromPrivateKey(AZURE_KEY);
  const service = await addFaulty('Azure Key Vault', account, vault.url, AZURE_KEY_VAULT);
  secrets.push(vault.clientSecret);
  await writeSigner(
    account,
    `type = "azure-signer"\nkey-vault-name = "bank"\nkey-name = "desk"\nclient-id = "signer"\ntenant-id = "bank"\n` +
      `client-secret = "${vault.clientSecret}"\nendpoint = "${service.url}"\nauthority = "${vault.url}"\n`,
  );
}

async function addGoogle(): Promise<void> {
  const kms = await startGcpKmsServer();
  closers.push(() => kms.stop());
  kms.addKey(GCP_VERSION, GCP_KEY);
  const account = addressFromPrivateKey(GCP_KEY);
  const service = await addFaulty('Google Cloud KMS', account, kms.url, GOOGLE_CLOUD_KMS);
  const { private_key: pem } = JSON.parse(kms.accountFile) as { private_key: string };
  secrets.push(pem.split('\n')[1] ?? pem);
  await write('account.json', kms.accountFile);
  await writeSigner(
    account,
    `type = "gcp-kms-signer"\nkey-version = "${GCP_VERSION}"\ncredentials-file = "account.json"\nendpoint = "${service.url}"\n`,
  );
}

async function addAws(program: string): Promise<void> {
  const moto = await startMoto(program);
  closers.push(() => moto.stop());
  const credentials = { accessKeyId: 'AKIA0', secretAccessKey: AWS_SECRET };
  const kms = new AwsKms({ region: 'eu-west-1', endpoint: moto.url, credentials, timeoutMs: 60_000 });
  const { signal } = new AbortController();
  const keyId = await kms.generate('desk', signal);
  const account = addressFromPublicKey(await kms.key(keyId).readPublicKey(signal));
  kms.close();
  const service = await addFaulty('AWS KMS', account, moto.url, AWS_KMS);
  await writeSigner(
    account,
    `type = "aws-kms-signer"\nregion = "eu-west-1"\nendpoint = "${service.url}"\nkey-id = "${keyId}"\n`,
  );
}

async function addHsm(softHsm: string): Promise<SoftHsm> {
  const hsm = startSoftHsm(softHsm);
  closers.push(() => hsm.stop());
  hsm.setUserPin(PIN);
  hsm.writePin(PIN);
  const { tokenLabel, pinFile } = hsm;
  const token = new Pkcs11Token(
    { library: softHsm, tokenLabel, pinFile, sessions: 1, timeoutMs: 60_000 },
    { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
  );
  const account = addressFromPublicKey(await token.generate({ label: 'desk' }));
  token.close();
  const setFault = (fault: ServiceFault | undefined): Outcome => {
    const own = fault !== undefined && fault in HSM_FAULTS ? HSM_FAULTS[fault as 'fails'] : undefined;
    hsm.setFault(own);
    return own === undefined ? 'signs' : 'refuses';
  };
  sources.push({ name: 'PKCS#11', account, setFault });
  await writeSigner(
    account,
    `type = "pkcs11-signer"\nlibrary = "${hsm.buildFaultyLibrary()}"\ntoken-label = "${tokenLabel}"\npin-file = "${pinFile}"\nkey-label = "desk"\n`,
  );
  return hsm;
}

/** A key that is loaded, and that no fault of another service may disturb. */
async function addHealthy(): Promise<void> {
  const vault = await startVaultServer();
  closers.push(() => vault.stop());
  const hex = Buffer.from(VAULT_KEY).toString('hex');
  vault.secrets.set('one', { value: hex });
  secrets.push(hex);
  await writeSigner(
    HEALTHY,
    `type = "hashicorp-signer"\nkeyPath = "/v1/secret/data/one"\ntoken = "${VAULT_TOKEN}"\nserverHost = "127.0.0.1"\n` +
      `serverPort = ${vault.port}\ntlsEnable = false\n`,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-key-faults-'));
  const before = { ...process.env };
  [node, collector] = await Promise.all([startFakeNode(), TraceCollector.start()]);
  await Promise.all([
    addAzure(),
    addGoogle(),
    addHealthy(),
    ...(python === undefined ? [] : [addAws(python)]),
  ]);
  if (library !== undefined) await addHsm(library);
  const database = await createTestDatabase('signer');
  databaseUrl = database.url;
  const first = await freePorts(2);
  [url, opsUrl] = [`http://127.0.0.1:${first}`, `http://127.0.0.1:${first + 1}`];
  const own = ['SOFTHSM2_CONF', 'FAULT_FOLDER', 'REAL_LIBRARY'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === before[name] ? [] : [[name, value] as const];
  });
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
  signer = runSigner(
    Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
    {
      TETRAD_SIGNER_DATABASE_URL: database.url,
      AWS_ACCESS_KEY_ID: 'AKIA0',
      AWS_SECRET_ACCESS_KEY: AWS_SECRET,
      ...Object.fromEntries(own),
    },
  );
  closers.unshift(async () => {
    await signer.stop();
    await database.drop();
  });
  await until(async () => {
    const listed = (await call('eth_accounts', []).catch(() => undefined))?.result;
    return Array.isArray(listed) && listed.length === sources.length + 1;
  });
});
afterAll(async () => {
  for (const close of closers) await close();
  await Promise.all([node.stop(), collector.close(), rm(folder, { recursive: true, force: true })]);
});

interface Answer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { readonly data?: { readonly reason?: string } };
}

async function call(method: string, params: readonly unknown[]): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  answers.push(text);
  return { status: response.status, ...(JSON.parse(text) as object) };
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

async function meets(source: Source, outcome: Outcome): Promise<void> {
  if (outcome === 'signs') return signs(source.account);
  expect({ name: source.name, ...(await send(source.account)) }).toMatchObject({
    name: source.name,
    status: 503,
    error: { data: { reason: 'KEY_UNAVAILABLE', account: source.account } },
  });
}

describe('a signer with keys in several services', () => {
  it.each(FAULTS)(
    'refuses or signs, names the keys it misses, and goes on afterwards, when each service %s',
    async (fault) => {
      const outcomes = sources.map((source) => [source, source.setFault(fault)] as const);
      try {
        await Promise.all([...outcomes.map(([source, outcome]) => meets(source, outcome)), signs(HEALTHY)]);
        const said = await readiness();
        for (const [{ account }, outcome] of outcomes)
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

  it('has sent each transaction once, with consecutive nonces, and none that it refused', () => {
    const sent = node.submitted().map((raw) => Transaction.from(raw as string));
    for (const account of [HEALTHY, ...sources.map((source) => source.account)]) {
      const own = sent.filter(({ from }) => from?.toLowerCase() === account);
      const nonces = own.map(({ nonce }) => nonce).sort((one, other) => one - other);
      expect(nonces).toEqual(nonces.map((_nonce, index) => index + 1));
      expect(own.length).toBeGreaterThanOrEqual(FAULTS.length);
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
    expect([stdout.length + stderr.length > 1_000, collector.spans.length > 0]).toEqual([true, true]);
    for (const secret of secrets)
      for (const said of [stdout, stderr, traces, metrics, answers.join('\n')])
        expect(said.includes(secret) ? secret : '').toBe('');
  });
});
