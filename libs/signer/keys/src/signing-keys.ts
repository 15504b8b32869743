import type { RecoverableSignature } from '@tetrad/crypto';
import { DerivationThreads } from '@tetrad/keystore';
import { asUnavailable, firstReasons, RemoteServices, VaultSessions } from '@tetrad/remote-keys';
import { SecretTexts } from '@tetrad/remote-keys/secrets';
import { OperatorError, type Address } from '@tetrad/types';
import type { KeySource } from './key-entry.js';
import { faultOf } from './key-load-error.js';
import { KeyLoader } from './key-loader.js';
import { KeyLog } from './key-log.js';
import { keysChecks, type KeyProgress, type KeysCheck } from './key-progress.js';
import { KeyReloads } from './key-reloads.js';
import { KeySet } from './key-set.js';
import { createKeySource } from './key-source.js';
import type { KeyDifference, KeyTable } from './key-table.js';
import type { ReloadAnswer, ReloadStatus } from './reload-operation.js';
import type { SigningKeysDependencies, SigningKeysOptions } from './signing-keys-options.js';
import { VAULT_BACK_OFF, VaultRetry, isMissingRemotely } from './vault-retry.js';

/** The keys of the signing proxy: loaded, reloaded and asked for here; the keys themselves never leave. */
export class SigningKeys {
  private readonly keys = new KeySet();
  private readonly threads: DerivationThreads;
  private readonly services: RemoteServices;
  private readonly vaults: VaultSessions;
  private readonly passwords: SecretTexts;
  private readonly sources: readonly KeySource[];
  private readonly log: KeyLog;
  private readonly loader: KeyLoader;
  private readonly retry: VaultRetry;
  private readonly reloads: KeyReloads;
  private firstLoad: Promise<void> = Promise.resolve();
  private isFirstLoadDone = false;

  private constructor(
    private readonly options: SigningKeysOptions,
    private readonly dependencies: SigningKeysDependencies,
  ) {
    this.threads = options.threads ?? new DerivationThreads();
    this.log = new KeyLog(dependencies.logger);
    this.services = new RemoteServices({
      clock: dependencies.clock,
      onChange: ({ name, address }, now) => this.log.availability({ name, address }, now?.reason),
    });
    this.vaults = new VaultSessions(dependencies.clock);
    const { clock, variables = {} } = dependencies;
    this.passwords = new SecretTexts({ clock, variables });
    const { services, vaults, passwords } = this;
    const parts = { derive: this.threads.derive, clock, services, vaults, passwords };
    this.sources = options.sources.map((settings) => createKeySource(settings, parts));
    this.loader = new KeyLoader(this.sources, this.keys, this.log);
    this.retry = new VaultRetry({
      backOff: options.vaultBackOff ?? VAULT_BACK_OFF,
      clock: dependencies.clock,
      table: () => this.keys.table,
      onOutcomes: (outcomes) => this.takeVaultKeys(outcomes),
    });
    const { sources, loader, log } = this;
    this.reloads = new KeyReloads({
      sources,
      loader,
      log,
      clock: dependencies.clock,
      watchQuietMs: options.watchQuietMs,
      watchPeriodMs: options.watchPeriodMs,
      onLoaded: (difference) => {
        this.report(difference);
        this.retry.start();
      },
    });
  }

  /**
   * Starts to load; keys are available as they are loaded.
   * @returns with every single key loaded; folders go on loading, `whenLoaded` waits for them
   * @throws OperatorError when a single key cannot be loaded or a folder cannot be read; a single key whose vault does
   *   not answer is asked for again instead
   */
  static async open(
    options: SigningKeysOptions,
    dependencies: SigningKeysDependencies,
  ): Promise<SigningKeys> {
    const keys = new SigningKeys(options, dependencies);
    try {
      await keys.start();
      return keys;
    } catch (error) {
      keys.close();
      // EthSigner's words (docs/spec/signing-proxy.md#options).
      throw new OperatorError(
        `Failed to construct a signer from supplied arguments. Cause: ${faultOf(error)}`,
      );
    }
  }

  /** Addresses in ascending order. */
  list(): readonly Address[] {
    return this.keys.list();
  }

  /** Of 64 bytes x‖y each, in the order of the addresses. */
  publicKeys(): readonly Uint8Array[] {
    return this.list().flatMap((address) => this.keys.find(address)?.publicKey ?? []);
  }

  has(address: Address): boolean {
    return this.keys.find(address) !== undefined;
  }

  /**
   * Whether the key of the address may be one that is not loaded yet.
   * @returns a promise that resolves when that is decided; `unavailable` when a vault has to be reached first, or too
   *   many requests wait; undefined when the key is loaded, or is not one that will be
   */
  whenDecided(address: Address): Promise<void> | 'unavailable' | undefined {
    if (this.has(address)) return undefined;
    return this.loader.whenDecided(address) ?? (this.isUnavailable(address) ? 'unavailable' : undefined);
  }

  /**
   * Signature of a 32-byte digest; undefined without a key of that address.
   * @throws RequestError KEY_UNAVAILABLE when the service of the key does not sign; no signature is used any more then
   */
  async sign(address: Address, digest: Uint8Array): Promise<RecoverableSignature | undefined> {
    try {
      return await this.keys.find(address)?.sign(digest);
    } catch (error) {
      throw asUnavailable(error, address);
    }
  }

  /** Why keys cannot sign at present, a line for each of the first ones. */
  unavailable(): readonly string[] {
    return firstReasons(this.keys.unavailable());
  }

  countUnavailable(): number {
    return this.keys.unavailable().length;
  }

  progress(): KeyProgress {
    return this.loader.progress();
  }

  /**
   * Why the keys are not ready, in a few words; undefined when they are: once the first load is through, and unless
   * a vault holds all that there is.
   */
  notReady(): string | undefined {
    const { total, loaded, failed } = this.progress();
    if (!this.isFirstLoadDone) return `${loaded} of ${total} keys loaded, ${failed} failed`;
    const missing = [...this.keys.table.values()].find(isMissingRemotely);
    return this.list().length === 0 && missing !== undefined ? `no key: ${missing.fault}` : undefined;
  }

  /** For the body of `/healthcheck`. */
  checks(): readonly KeysCheck[] {
    return keysChecks(this.sources, this.keys.table);
  }

  /** Body of GET /reload. */
  reloadStatus(): ReloadStatus {
    return this.reloads.status;
  }

  /** Starts a reload in the background; the answer is that of POST /reload. */
  requestReload(): ReloadAnswer {
    return this.reloads.request();
  }

  /**
   * Reads all sources again and swaps the keys at once; what did not change is not decrypted again, vaults are asked
   * again. What is being signed with a key that goes is signed.
   * @throws KeyLoadError when a source cannot be read at all; the keys stay as they were
   */
  reload(): Promise<KeyDifference> {
    return this.reloads.run();
  }

  /** Once the first load is through, vaults that do not answer excepted. */
  whenLoaded(): Promise<void> {
    return this.firstLoad;
  }

  /** The keys stay available to what still runs; nothing is loaded any more. */
  close(): void {
    this.reloads.close();
    this.retry.close();
    this.loader.close();
    this.keys.close();
    this.services.close();
    this.passwords.close();
    this.vaults.close();
    this.threads.close();
  }

  private isUnavailable(address: Address): boolean {
    for (const { askAgain } of this.keys.table.values()) {
      if (askAgain !== undefined && (askAgain.address ?? address) === address) return true;
    }
    return false;
  }

  private async start(): Promise<void> {
    const scan = await this.loader.scanAtStart();
    this.firstLoad = this.loader.loadFirst(scan).then(() => {
      this.isFirstLoadDone = true;
      this.retry.start();
    });
    if (this.options.watch !== false) this.reloads.watchSources();
  }

  private async takeVaultKeys(outcomes: KeyTable): Promise<void> {
    const difference = await this.loader.takeVaultKeys(outcomes);
    if (difference !== undefined) this.report(difference);
  }

  private report(difference: KeyDifference): void {
    if (difference.added.length + difference.removed.length > 0) this.dependencies.onChange?.(difference);
  }
}
