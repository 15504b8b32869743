import type { Clock } from '@tetrad/types';
import { AwsSecrets } from '../aws-secrets/aws-secrets.js';
import { AzureVault } from '../azure/azure-vault.js';
import { withDeadline } from '../deadline.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { VaultError } from '../vault/vault-error.js';
import { VaultSessions } from '../vault/vault-sessions.js';
import type { SecretLocation } from './secret-location.js';

/** Secrets of AWS Secrets Manager, Azure Key Vault and HashiCorp Vault. */
export class SecretServices {
  private readonly accounts = new Map<string, AwsSecrets>();
  private readonly azureVaults = new Map<string, AzureVault>();
  private readonly vaults: VaultSessions;

  constructor(private readonly clock: Clock) {
    this.vaults = new VaultSessions(clock);
  }

  /**
   * Reads a secret.
   * @throws RemoteKeyError, which does not repeat it
   */
  read(location: SecretLocation): Promise<string> {
    return this.within(location, async (signal) => {
      switch (location.kind) {
        case 'aws':
          return memberOf(await this.aws(location).read(location.secretId, signal), location);
        case 'azure': {
          const { secretName, version } = location;
          const text = await this.azure(location).readSecret(secretName, signal, version);
          return memberOf(text, location);
        }
        case 'vault':
          return textOf(await this.vaults.read(location.request), location.member, nameOf(location));
      }
    });
  }

  /**
   * Makes secrets, which must not be there yet: members of one secret of a vault, or one secret each.
   * @throws RemoteKeyError; of several secrets the first ones may have been made
   */
  async create(
    secrets: readonly { readonly location: SecretLocation; readonly text: string }[],
  ): Promise<void> {
    const [first] = secrets;
    if (first?.location.kind !== 'vault') {
      for (const { location, text } of secrets) await this.createOne(location, text);
      return;
    }
    const { request } = first.location;
    const members = secrets.flatMap(({ location, text }) =>
      location.kind === 'vault' ? [[location.member, text] as const] : [],
    );
    await this.within(first.location, () => this.vaults.create(request, Object.fromEntries(members)));
  }

  close(): void {
    for (const account of this.accounts.values()) account.close();
    this.vaults.close();
  }

  private createOne(location: SecretLocation, text: string): Promise<void> {
    return this.within(location, async (signal) => {
      if (location.kind === 'aws') return this.aws(location).create(location.secretId, text, signal);
      if (location.kind === 'azure')
        return this.azure(location).createSecret(location.secretName, text, signal);
      return this.vaults.create(location.request, { [location.member]: text });
    });
  }

  private aws({ account }: SecretLocation & { kind: 'aws' }): AwsSecrets {
    return heldOrMade(this.accounts, account, () => new AwsSecrets(account));
  }

  private azure({ vault }: SecretLocation & { kind: 'azure' }): AzureVault {
    return heldOrMade(this.azureVaults, vault, () => new AzureVault(vault, this.clock));
  }

  private async within<Result>(
    location: SecretLocation,
    call: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this;
    try {
      return await withDeadline({ clock, timeoutMs: timeoutOf(location), name: nameOf(location) }, call);
    } catch (error) {
      if (error instanceof VaultError)
        throw new RemoteKeyError(error.isTransient ? 'FAILED' : 'DENIED', error.message);
      throw error;
    }
  }
}

/** The service of the settings: one for all secrets with the same ones. */
function heldOrMade<Service>(held: Map<string, Service>, settings: object, make: () => Service): Service {
  const identity = JSON.stringify(settings);
  const service = held.get(identity) ?? make();
  held.set(identity, service);
  return service;
}

function timeoutOf(location: SecretLocation): number {
  if (location.kind === 'vault') return location.request.timeoutMs;
  return (location.kind === 'aws' ? location.account : location.vault).timeoutMs;
}

function nameOf(location: SecretLocation): string {
  switch (location.kind) {
    case 'aws':
      return `secret ${location.secretId} of AWS Secrets Manager`;
    case 'azure':
      return `secret ${location.secretName} of ${location.vault.vaultUrl}`;
    case 'vault':
      return `secret ${location.request.path} of Vault ${location.request.host}:${location.request.port}`;
  }
}

function memberOf(text: string, location: SecretLocation & { kind: 'aws' | 'azure' }): string {
  const { member } = location;
  return member === undefined ? text : textOf(objectOf(text), member, nameOf(location));
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function textOf(members: Readonly<Record<string, unknown>>, member: string, name: string): string {
  const value = Object.hasOwn(members, member) ? members[member] : undefined;
  if (typeof value === 'string') return value;
  throw new RemoteKeyError('UNSUPPORTED', `${name}: its member ${member} is missing or not text`);
}
