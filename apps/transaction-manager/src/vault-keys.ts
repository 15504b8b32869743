import {
  RemoteKeyError,
  SecretServices,
  parseSecretFile,
  readSecretFile,
  type SecretFile,
  type Variables,
} from '@tetrad/remote-keys/secrets';
import { OperatorError, systemClock } from '@tetrad/types';

/** A key pair as a vault has it, in base64. */
export interface VaultKey {
  /** A key file with the private key, not encrypted. */
  readonly text: string;
  /** Undefined when the file does not say where it is. */
  readonly publicKey: string | undefined;
}

/** Keys of the manager that are secrets of AWS Secrets Manager, Azure Key Vault or HashiCorp Vault. */
export class VaultKeys {
  private readonly services = new SecretServices(systemClock);

  /** @param variables - of the environment, by which a Tessera logs in to its vaults */
  constructor(private readonly variables: Variables) {}

  /**
   * Reads the key that a TOML file names.
   * @throws OperatorError naming the file
   */
  async read(path: string): Promise<VaultKey> {
    return this.fetch(() => readSecretFile(path, this.variables));
  }

  /**
   * As `read`, for the text of a file that is not written yet.
   * @param path - for errors, and for its paths
   */
  async readText(toml: string, path: string): Promise<VaultKey> {
    return this.fetch(() => parseSecretFile(toml, path, this.variables));
  }

  /**
   * Stores a new key pair where the file says, which has no secret yet.
   * @throws OperatorError naming the file
   */
  async create(
    path: string,
    pair: { readonly privateKey: string; readonly publicKey: string },
  ): Promise<void> {
    await this.attempt(async () => {
      const { secret, publicKey } = await readSecretFile(path, this.variables);
      await this.services.create([
        { location: secret, text: pair.privateKey },
        ...(publicKey === undefined ? [] : [{ location: publicKey, text: pair.publicKey }]),
      ]);
    });
  }

  close(): void {
    this.services.close();
  }

  private fetch(locate: () => Promise<SecretFile>): Promise<VaultKey> {
    return this.attempt(async () => {
      const { secret, publicKey } = await locate();
      const bytes = (await this.services.read(secret)).trim();
      return {
        text: JSON.stringify({ type: 'unlocked', data: { bytes } }),
        publicKey: publicKey === undefined ? undefined : (await this.services.read(publicKey)).trim(),
      };
    });
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof RemoteKeyError ? new OperatorError(error.message, { cause: error }) : error;
    }
  }
}
