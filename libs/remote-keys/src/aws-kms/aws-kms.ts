import type * as KmsSdk from '@aws-sdk/client-kms';
import type { ServiceKey } from '../key-service.js';
import { loadOptional } from '../optional-package.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { awsKmsFault } from './aws-kms-fault.js';
import type { AwsKmsSettings } from './aws-kms-settings.js';
import { compactFromDer, publicKeyFromSpki } from './der-signature.js';
import { listSigningKeys, type AwsKmsConnection, type AwsTagFilter } from './list-signing-keys.js';

/** With which it was tested. */
const SDK_VERSION = '3.1161.0';
/** Of the requests of a list, which may be thousands. */
const LIST_ATTEMPTS = 4;

/** AWS KMS in one region; the SDK is loaded with the first call. */
export class AwsKms {
  readonly name: string;
  private loaded: Promise<AwsKmsConnection> | undefined;

  constructor(private readonly settings: AwsKmsSettings) {
    this.name = `AWS KMS ${settings.endpoint ?? settings.region ?? 'of the environment'}`;
  }

  /** @param id - of a key, its ARN, or an alias with `alias/` before it */
  key(id: string): ServiceKey {
    const name = `${this.name}, key ${id}`;
    return {
      name,
      readPublicKey: (signal) => this.readPublicKey(id, name, signal),
      sign: (digest, signal) => this.sign({ id, name, digest }, signal),
    };
  }

  /**
   * Makes a key.
   *
   * @returns its id
   * @throws RemoteKeyError
   */
  async generate(description: string, signal: AbortSignal): Promise<string> {
    const { sdk, client } = await this.load();
    const spec = { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', Description: description } as const;
    try {
      const { KeyMetadata } = await client.send(new sdk.CreateKeyCommand(spec), { abortSignal: signal });
      if (KeyMetadata?.KeyId !== undefined) return KeyMetadata.KeyId;
    } catch (error) {
      throw awsKmsFault(error, this.name, 'kms:CreateKey');
    }
    throw new RemoteKeyError('FAILED', `${this.name}: the answer names no key`);
  }

  /**
   * Lists the keys that can sign transactions.
   *
   * @returns their ids
   * @throws RemoteKeyError
   */
  async list(filter: AwsTagFilter, signal: AbortSignal): Promise<readonly string[]> {
    const { sdk } = await this.load();
    const client = this.newClient(sdk, LIST_ATTEMPTS);
    try {
      return await listSigningKeys({ sdk, client }, filter, { signal, where: this.name });
    } catch (error) {
      const needed = 'kms:ListKeys, kms:DescribeKey and, for tags, kms:ListResourceTags';
      throw awsKmsFault(error, this.name, needed);
    } finally {
      client.destroy();
    }
  }

  close(): void {
    void this.loaded?.then(
      ({ client }) => client.destroy(),
      () => undefined,
    );
  }

  private async readPublicKey(id: string, name: string, signal: AbortSignal): Promise<Uint8Array> {
    const { sdk, client } = await this.load();
    try {
      const command = new sdk.GetPublicKeyCommand({ KeyId: id });
      const { PublicKey } = await client.send(command, { abortSignal: signal });
      const publicKey = PublicKey === undefined ? undefined : publicKeyFromSpki(PublicKey);
      if (publicKey !== undefined) return publicKey;
    } catch (error) {
      throw awsKmsFault(error, name, 'kms:GetPublicKey');
    }
    throw new RemoteKeyError('UNSUPPORTED', `${name}: is not a key of the kind ECC_SECG_P256K1`);
  }

  private async sign(
    { id, name, digest }: { readonly id: string; readonly name: string; readonly digest: Uint8Array },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { sdk, client } = await this.load();
    try {
      const command = new sdk.SignCommand({
        KeyId: id,
        Message: digest,
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      const { Signature } = await client.send(command, { abortSignal: signal });
      const compact = Signature === undefined ? undefined : compactFromDer(Signature);
      if (compact !== undefined) return compact;
    } catch (error) {
      throw awsKmsFault(error, name, 'kms:Sign');
    }
    throw new RemoteKeyError('WRONG_KEY', `${name}: the answer is no ECDSA signature`);
  }

  private load(): Promise<AwsKmsConnection> {
    this.loaded ??= this.open();
    return this.loaded;
  }

  private async open(): Promise<AwsKmsConnection> {
    const sdk = await loadOptional('@aws-sdk/client-kms', SDK_VERSION, () => import('@aws-sdk/client-kms'));
    // Repeated by `RemoteKey`, which knows when that is safe.
    return { sdk, client: this.newClient(sdk, 1) };
  }

  private newClient(sdk: typeof KmsSdk, maxAttempts: number): KmsSdk.KMSClient {
    const { region, endpoint, credentials, timeoutMs } = this.settings;
    return new sdk.KMSClient({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts,
      requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
    });
  }
}
