import { BOUNDED_ANSWERS, boundedAnswers } from './bounded-answers.js';
import type { ServiceKey } from '../key-service.js';
import { loadOptional } from '../optional-package.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { AwsClient, READS_FILES_AGAIN } from './aws-client.js';
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
  private readonly client: AwsClient<AwsKmsConnection>;

  constructor(private readonly settings: AwsKmsSettings) {
    this.client = new AwsClient(() => this.open(1), settings.credentials === undefined);
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
    const spec = { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', Description: description } as const;
    try {
      const { KeyMetadata } = await this.client.run(({ sdk, client }) =>
        client.send(new sdk.CreateKeyCommand(spec), { abortSignal: signal }),
      );
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
    const lists = new AwsClient(() => this.open(LIST_ATTEMPTS), this.settings.credentials === undefined);
    const where = this.name;
    try {
      return await lists.run((connection) => listSigningKeys(connection, filter, { signal, where }));
    } catch (error) {
      const needed = 'kms:ListKeys, kms:DescribeKey and, for tags, kms:ListResourceTags';
      throw awsKmsFault(error, this.name, needed);
    } finally {
      lists.close();
    }
  }

  close(): void {
    this.client.close();
  }

  private async readPublicKey(id: string, name: string, signal: AbortSignal): Promise<Uint8Array> {
    try {
      const { PublicKey } = await this.client.run(({ sdk, client }) =>
        client.send(new sdk.GetPublicKeyCommand({ KeyId: id }), { abortSignal: signal }),
      );
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
    const asked = {
      KeyId: id,
      Message: digest,
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    } as const;
    try {
      const { Signature } = await this.client.run(({ sdk, client }) =>
        client.send(new sdk.SignCommand(asked), { abortSignal: signal }),
      );
      const compact = Signature === undefined ? undefined : compactFromDer(Signature);
      if (compact !== undefined) return compact;
    } catch (error) {
      throw awsKmsFault(error, name, 'kms:Sign');
    }
    throw new RemoteKeyError('WRONG_KEY', `${name}: the answer is no ECDSA signature`);
  }

  /** @param maxAttempts - one for signatures: `RemoteKey` repeats them, and knows when that is safe */
  private async open(maxAttempts: number): Promise<AwsKmsConnection> {
    const sdk = await loadOptional('@aws-sdk/client-kms', SDK_VERSION, () => import('@aws-sdk/client-kms'));
    const { region, endpoint, credentials, timeoutMs } = this.settings;
    const client = new sdk.KMSClient({
      ...READS_FILES_AGAIN,
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts,
      requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
    });
    client.middlewareStack.add(boundedAnswers, BOUNDED_ANSWERS);
    return { sdk, client };
  }
}
