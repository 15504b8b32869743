import { readFile } from 'node:fs/promises';
import type { Clock } from '@tetrad/types';
import { AwsKms } from './aws-kms/aws-kms.js';
import type { AwsKmsSettings } from './aws-kms/aws-kms-settings.js';
import { AwsSecrets, type AwsSecretsSettings } from './aws-secrets/aws-secrets.js';
import type { AzureVaultSettings } from './azure/azure-settings.js';
import { AzureVault } from './azure/azure-vault.js';
import { GcpKms } from './gcp/gcp-kms.js';
import type { GcpKmsSettings } from './gcp/gcp-settings.js';
import type { UnavailableKey } from './key-health.js';
import type { ServiceKey } from './key-service.js';
import type { Pkcs11TokenSettings } from './pkcs11/pkcs11-settings.js';
import { Pkcs11Token } from './pkcs11/pkcs11-token.js';
import type { RemoteKeySettings } from './key-file/remote-key-settings.js';
import { RemoteKey } from './remote-key.js';
import { ServiceGate } from './service-gate.js';

/** Signatures that wait for one service; each is a request that is held open. */
const MAX_WAITING = 1_000;

/** Calls to a cloud service at a time; its quota is in calls a second, and it says when that is used up. */
const CLOUD_CALLS = 64;

export interface RemoteServicesParts {
  readonly clock: Clock;
  /** Called when a key becomes unavailable or available again. */
  readonly onChange: (key: RemoteKey, now: UnavailableKey | undefined) => void;
}

/** A service with the bound that all of its keys share. */
export interface OpenService<Service> {
  readonly service: Service;
  readonly gate: ServiceGate;
}

/** The key services of this process: entries with the same settings share one, with its sessions and limits. */
export class RemoteServices {
  private readonly tokens = new Map<string, OpenService<Pkcs11Token>>();
  private readonly accounts = new Map<string, OpenService<AwsKms>>();
  private readonly secrets = new Map<string, OpenService<AwsSecrets>>();
  private readonly vaults = new Map<string, OpenService<AzureVault>>();
  private readonly projects = new Map<string, OpenService<GcpKms>>();

  constructor(private readonly parts: RemoteServicesParts) {}

  token(settings: Pkcs11TokenSettings): OpenService<Pkcs11Token> {
    const identity = JSON.stringify(settings);
    const open = this.tokens.get(identity) ?? this.openToken(settings);
    this.tokens.set(identity, open);
    return open;
  }

  awsKms(settings: AwsKmsSettings): OpenService<AwsKms> {
    const identity = JSON.stringify(settings);
    const open = this.accounts.get(identity) ?? this.openAccount(settings);
    this.accounts.set(identity, open);
    return open;
  }

  awsSecrets(settings: AwsSecretsSettings): OpenService<AwsSecrets> {
    const identity = JSON.stringify(settings);
    const open = this.secrets.get(identity) ?? this.inCloud(new AwsSecrets(settings));
    this.secrets.set(identity, open);
    return open;
  }

  azureVault(settings: AzureVaultSettings): OpenService<AzureVault> {
    const identity = JSON.stringify(settings);
    const open = this.vaults.get(identity) ?? this.openVault(settings);
    this.vaults.set(identity, open);
    return open;
  }

  gcpKms(settings: GcpKmsSettings): OpenService<GcpKms> {
    const identity = JSON.stringify(settings);
    const open = this.projects.get(identity) ?? this.inCloud(new GcpKms(settings, this.parts.clock));
    this.projects.set(identity, open);
    return open;
  }

  /** @throws RemoteKeyError */
  openKey(key: ServiceKey, gate: ServiceGate, timeoutMs: number): Promise<RemoteKey> {
    const { clock, onChange } = this.parts;
    return RemoteKey.open(key, { gate, clock, timeoutMs, onChange });
  }

  /**
   * Opens the key that the settings name.
   * @throws RemoteKeyError
   */
  open(settings: RemoteKeySettings): Promise<RemoteKey> {
    const { key, gate } = this.locate(settings);
    return this.openKey(key, gate, settings.timeoutMs);
  }

  /** The bound of the service of the key: one for all keys of the same service. */
  gateOf(settings: RemoteKeySettings): ServiceGate {
    return this.locate(settings).gate;
  }

  close(): void {
    const closable = [...this.tokens.values(), ...this.accounts.values(), ...this.secrets.values()];
    for (const { service } of closable) service.close();
  }

  private locate(settings: RemoteKeySettings): { readonly key: ServiceKey; readonly gate: ServiceGate } {
    if (settings.kind === 'pkcs11') {
      const { library, slot, tokenLabel, pinFile, sessions, timeoutMs } = settings;
      const { service, gate } = this.token({ library, slot, tokenLabel, pinFile, sessions, timeoutMs });
      return { key: service.key(settings.key), gate };
    }
    if (settings.kind === 'azure-key') {
      const { vaultUrl, credentials, authorityUrl, timeoutMs } = settings;
      const { service, gate } = this.azureVault({ vaultUrl, credentials, authorityUrl, timeoutMs });
      return { key: service.key(settings.keyName, settings.keyVersion), gate };
    }
    if (settings.kind === 'gcp-kms') {
      const { credentialsFile, endpoint, metadataUrl, timeoutMs } = settings;
      const { service, gate } = this.gcpKms({ credentialsFile, endpoint, metadataUrl, timeoutMs });
      return { key: service.key(settings.keyVersion), gate };
    }
    const { region, endpoint, credentials, timeoutMs } = settings;
    const { service, gate } = this.awsKms({ region, endpoint, credentials, timeoutMs });
    return { key: service.key(settings.keyId), gate };
  }

  private openAccount(settings: AwsKmsSettings): OpenService<AwsKms> {
    return this.inCloud(new AwsKms(settings));
  }

  private openVault(settings: AzureVaultSettings): OpenService<AzureVault> {
    return this.inCloud(new AzureVault(settings, this.parts.clock));
  }

  private inCloud<Service extends { readonly name: string }>(service: Service): OpenService<Service> {
    const limits = { concurrency: CLOUD_CALLS, maxWaiting: MAX_WAITING };
    return { service, gate: new ServiceGate(service.name, limits, this.parts.clock) };
  }

  private openToken(settings: Pkcs11TokenSettings): OpenService<Pkcs11Token> {
    const { clock } = this.parts;
    const service = new Pkcs11Token(settings, { clock, readText: (path) => readFile(path, 'utf8') });
    const limits = { concurrency: settings.sessions, maxWaiting: MAX_WAITING };
    return { service, gate: new ServiceGate(service.name, limits, clock) };
  }
}
