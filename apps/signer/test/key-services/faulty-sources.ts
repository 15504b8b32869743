import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFromPrivateKey, addressFromPublicKey, keccak256 } from '@tetrad/crypto';
import { AwsKms, Pkcs11Token } from '@tetrad/remote-keys';
import {
  startAzureVaultServer,
  startGcpKmsServer,
  startMoto,
  startSoftHsm,
  type HsmFault,
} from '@tetrad/testkit';
import { systemClock, type Address } from '@tetrad/types';
import { startFaultyKeyService, type ServiceFault } from './faulty-key-service.js';
import { AWS_KMS, AZURE_KEY_VAULT, GOOGLE_CLOUD_KMS } from './signature-formats.js';

/** What becomes of a transaction while a source has a fault. */
export type Outcome = 'signs' | 'refuses';

/** A key in a service whose faults a test sets. */
export interface FaultySource {
  readonly name: string;
  readonly account: Address;
  setFault(fault: ServiceFault | undefined): void;
  /** What must never be shown. */
  readonly secrets: readonly string[];
  /** For the signer. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<unknown>;
}

/** For one signature; what hangs takes as long. */
export const TIMEOUT_MS = 5_000;

/** Each fault, and what becomes of a transaction meanwhile. */
export const OUTCOMES: Readonly<Record<ServiceFault, Outcome>> = {
  'is slow': 'signs',
  'throttles twice': 'signs',
  'gives a high s': 'signs',
  'lets credentials expire': 'signs',
  throttles: 'refuses',
  denies: 'refuses',
  fails: 'refuses',
  'closes the connection': 'refuses',
  'signs with another key': 'refuses',
  'gives a signature that does not recover': 'refuses',
  'hangs after having signed': 'refuses',
  'is replaced while it signs': 'refuses',
};

/** Those of a library that stand for those of a service. */
const HSM_FAULTS: Readonly<Record<ServiceFault, HsmFault>> = {
  'is slow': 'slow',
  'throttles twice': 'busy-twice',
  'gives a high s': 'high-s',
  'lets credentials expire': 'logged-out',
  throttles: 'busy',
  denies: 'not-permitted',
  fails: 'removed',
  'closes the connection': 'crash',
  'signs with another key': 'other-key',
  'gives a signature that does not recover': 'not-a-signature',
  'hangs after having signed': 'hang',
  'is replaced while it signs': 'replaced',
};

// Hashes, which are nowhere by chance.
export const AZURE_KEY = keccak256(Uint8Array.of(5));
export const GCP_KEY = keccak256(Uint8Array.of(6));

const GCP_VERSION = 'projects/bank/locations/l/keyRings/desks/cryptoKeys/desk/cryptoKeyVersions/1';
const PIN = 'pin-of-tests-4711';
/** Moto takes every one: what it says is its own. */
const WEB_IDENTITY = 'web-identity-not-to-be-shown';

/** A file as a signer with `--multikey-signer-directory` reads it. */
export function writeSigner(folder: string, account: Address, lines: string): Promise<void> {
  const text = `[signing]\ntimeout = ${TIMEOUT_MS}\n${lines}`;
  return writeFile(join(folder, `${account.slice(2)}.toml`), text, { mode: 0o600 });
}

/** @param folder - of signer files */
export async function startAzureSource(folder: string): Promise<FaultySource> {
  const vault = await startAzureVaultServer();
  const service = await startFaultyKeyService(vault.url, AZURE_KEY_VAULT);
  const account = addressFromPrivateKey(AZURE_KEY);
  vault.addVersion('desk', AZURE_KEY);
  await writeSigner(
    folder,
    account,
    `type = "azure-signer"\nkey-vault-name = "bank"\nkey-name = "desk"\nclient-id = "signer"\ntenant-id = "bank"\n` +
      `client-secret = "${vault.clientSecret}"\nendpoint = "${service.url}"\nauthority = "${vault.url}"\n`,
  );
  return {
    name: 'Azure Key Vault',
    account,
    setFault: (fault) => service.setFault(fault),
    secrets: [vault.clientSecret],
    environment: {},
    stop: () => Promise.all([service.stop(), vault.stop()]),
  };
}

/** @param folder - of signer files */
export async function startGcpSource(folder: string): Promise<FaultySource> {
  const kms = await startGcpKmsServer();
  const service = await startFaultyKeyService(kms.url, GOOGLE_CLOUD_KMS);
  const account = addressFromPrivateKey(GCP_KEY);
  kms.addKey(GCP_VERSION, GCP_KEY);
  const { private_key: pem } = JSON.parse(kms.accountFile) as { private_key: string };
  await writeFile(join(folder, 'account.json'), kms.accountFile, { mode: 0o600 });
  await writeSigner(
    folder,
    account,
    `type = "gcp-kms-signer"\nkey-version = "${GCP_VERSION}"\ncredentials-file = "account.json"\nendpoint = "${service.url}"\n`,
  );
  return {
    name: 'Google Cloud KMS',
    account,
    setFault: (fault) => service.setFault(fault),
    secrets: [pem.split('\n')[1] ?? pem],
    environment: {},
    stop: () => Promise.all([service.stop(), kms.stop()]),
  };
}

/**
 * With the role that a web identity has, as a pod of EKS: its credentials expire.
 *
 * @param folder - of signer files
 * @param python - of `findMoto`
 */
export async function startAwsSource(folder: string, python: string): Promise<FaultySource> {
  const moto = await startMoto(python);
  const credentials = { accessKeyId: 'AKIA0', secretAccessKey: 'any' };
  const kms = new AwsKms({ region: 'eu-west-1', endpoint: moto.url, credentials, timeoutMs: 60_000 });
  const { signal } = new AbortController();
  const keyId = await kms.generate('desk', signal);
  const account = addressFromPublicKey(await kms.key(keyId).readPublicKey(signal));
  kms.close();
  const service = await startFaultyKeyService(moto.url, AWS_KMS);
  const tokenFile = join(folder, 'web-identity');
  await writeFile(tokenFile, WEB_IDENTITY, { mode: 0o600 });
  await writeSigner(
    folder,
    account,
    `type = "aws-kms-signer"\nregion = "eu-west-1"\nendpoint = "${service.url}"\nkey-id = "${keyId}"\n`,
  );
  return {
    name: 'AWS KMS',
    account,
    setFault: (fault) => service.setFault(fault),
    secrets: [WEB_IDENTITY],
    environment: {
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/signer',
      AWS_ENDPOINT_URL_STS: moto.url,
    },
    stop: () => Promise.all([service.stop(), moto.stop()]),
  };
}

/**
 * @param folder - of signer files
 * @param library - of `findSoftHsm`
 */
export async function startHsmSource(folder: string, library: string): Promise<FaultySource> {
  const hsm = startSoftHsm(library);
  hsm.setUserPin(PIN);
  hsm.writePin(PIN);
  const { tokenLabel, pinFile } = hsm;
  const token = new Pkcs11Token(
    { library, tokenLabel, pinFile, sessions: 1, timeoutMs: 60_000 },
    { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
  );
  const account = addressFromPublicKey(await token.generate({ label: 'desk' }));
  await token.generate({ label: 'other' });
  token.close();
  await writeSigner(
    folder,
    account,
    `type = "pkcs11-signer"\nlibrary = "${hsm.buildFaultyLibrary()}"\ntoken-label = "${tokenLabel}"\npin-file = "${pinFile}"\nkey-label = "desk"\n`,
  );
  return {
    name: 'PKCS#11',
    account,
    setFault: (fault) => hsm.setFault(fault === undefined ? undefined : HSM_FAULTS[fault]),
    secrets: [PIN],
    environment: hsm.environment,
    stop: async () => hsm.stop(),
  };
}
