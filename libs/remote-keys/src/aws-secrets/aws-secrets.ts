import type * as SecretsSdk from '@aws-sdk/client-secrets-manager';
import { AwsClient, READS_FILES_AGAIN } from '../aws-kms/aws-client.js';
import { awsKmsFault } from '../aws-kms/aws-kms-fault.js';
import type { AwsKmsSettings } from '../aws-kms/aws-kms-settings.js';
import { BOUNDED_ANSWERS, boundedAnswers } from '../aws-kms/bounded-answers.js';
import { loadOptional } from '../optional-package.js';
import { RemoteKeyError } from '../remote-key-error.js';

/** With which it was tested. */
const SDK_VERSION = '3.1161.0';
/** Of one request, whose repetition reads the same. */
const ATTEMPTS = 4;
const NAMES_A_PAGE = 100;
const MAX_SECRETS = 10_000;
/** AWS permits as much. */
const MAX_SECRET_BYTES = 65_536;

/** Which account and region of AWS Secrets Manager, with which credentials. */
export type AwsSecretsSettings = AwsKmsSettings;

/** Which secrets of a region are wanted: each list that is not empty has to fit. Source: Consensys/web3signer, options `--aws-secrets-…-filter` */
export interface AwsSecretsFilter {
  /** Beginnings of the name. */
  readonly prefixes: readonly string[];
  readonly tagNames: readonly string[];
  readonly tagValues: readonly string[];
}

interface Connection {
  readonly sdk: typeof SecretsSdk;
  readonly client: SecretsSdk.SecretsManagerClient;
}

/** AWS Secrets Manager in one region; the SDK is loaded with the first call. */
export class AwsSecrets {
  readonly name: string;
  private readonly client: AwsClient<Connection>;

  constructor(private readonly settings: AwsSecretsSettings) {
    this.client = new AwsClient(() => this.open(), settings.credentials === undefined);
    this.name = `AWS Secrets Manager ${settings.endpoint ?? settings.region ?? 'of the environment'}`;
  }

  /**
   * Reads the text of a secret.
   *
   * @param id - name or ARN
   * @throws RemoteKeyError
   */
  async read(id: string, signal: AbortSignal): Promise<string> {
    const where = `${this.name}, secret ${id}`;
    let text: string | undefined;
    try {
      ({ SecretString: text } = await this.client.run(({ sdk, client }) =>
        client.send(new sdk.GetSecretValueCommand({ SecretId: id }), { abortSignal: signal }),
      ));
    } catch (error) {
      throw awsKmsFault(error, where, 'secretsmanager:GetSecretValue');
    }
    if (text === undefined) throw new RemoteKeyError('UNSUPPORTED', `${where}: has no text, but binary data`);
    if (Buffer.byteLength(text) <= MAX_SECRET_BYTES) return text;
    throw new RemoteKeyError('UNSUPPORTED', `${where}: has more than ${MAX_SECRET_BYTES} bytes`);
  }

  /**
   * Makes a secret.
   *
   * @throws RemoteKeyError UNSUPPORTED when there is one of that name
   */
  async create(name: string, text: string, signal: AbortSignal): Promise<void> {
    const where = `${this.name}, secret ${name}`;
    const made = this.client.run(({ sdk, client }) =>
      client.send(new sdk.CreateSecretCommand({ Name: name, SecretString: text }), { abortSignal: signal }),
    );
    await made.catch((error: unknown) => {
      if ((error as Error).name === 'ResourceExistsException')
        throw new RemoteKeyError('UNSUPPORTED', `${where}: is there already`);
      throw awsKmsFault(error, where, 'secretsmanager:CreateSecret');
    });
  }

  /**
   * Lists the secrets that the filter permits.
   *
   * @returns their names
   * @throws RemoteKeyError UNSUPPORTED for more than 10,000
   */
  async list(filter: AwsSecretsFilter, signal: AbortSignal): Promise<readonly string[]> {
    const names: string[] = [];
    let token: string | undefined;
    do {
      const request = { MaxResults: NAMES_A_PAGE, Filters: filtersOf(filter), NextToken: token };
      const asked = this.client.run(({ sdk, client }) =>
        client.send(new sdk.ListSecretsCommand(request), { abortSignal: signal }),
      );
      const page = await asked.catch((error: unknown) => {
        throw awsKmsFault(error, this.name, 'secretsmanager:ListSecrets');
      });
      names.push(...(page.SecretList ?? []).flatMap(({ Name }) => Name ?? []));
      if (names.length > MAX_SECRETS)
        throw new RemoteKeyError('UNSUPPORTED', `${this.name}: has more than ${MAX_SECRETS} secrets`);
      token = page.NextToken;
    } while (token !== undefined);
    return names;
  }

  close(): void {
    this.client.close();
  }

  private async open(): Promise<Connection> {
    const name = '@aws-sdk/client-secrets-manager';
    const sdk = await loadOptional(name, SDK_VERSION, () => import('@aws-sdk/client-secrets-manager'));
    const { region, endpoint, credentials, timeoutMs } = this.settings;
    const client = new sdk.SecretsManagerClient({
      ...READS_FILES_AGAIN,
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
    });
    client.middlewareStack.add(boundedAnswers, BOUNDED_ANSWERS);
    return { sdk, client };
  }
}

function filtersOf({ prefixes, tagNames, tagValues }: AwsSecretsFilter): SecretsSdk.Filter[] {
  const filters: SecretsSdk.Filter[] = [
    { Key: 'name', Values: [...prefixes] },
    { Key: 'tag-key', Values: [...tagNames] },
    { Key: 'tag-value', Values: [...tagValues] },
  ];
  return filters.filter(({ Values }) => Values?.length !== 0);
}
