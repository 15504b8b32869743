import { readFile } from 'node:fs/promises';
import {
  AwsKms,
  Pkcs11Token,
  RemoteKey,
  ServiceGate,
  type AwsKmsSettings,
  type Pkcs11TokenSettings,
  type ServiceKey,
  type UnavailableKey,
} from '@tetrad/remote-keys';
import type { Clock } from '@tetrad/types';

/** Signatures that wait for one service; each is a request that is held open. */
const MOST_WAITING = 1_000;

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

  /** Fails: RemoteKeyError */
  openKey(key: ServiceKey, gate: ServiceGate, timeoutMs: number): Promise<RemoteKey> {
    const { clock, onChange } = this.parts;
    return RemoteKey.open(key, { gate, clock, timeoutMs, onChange });
  }

  close(): void {
    for (const { service } of [...this.tokens.values(), ...this.accounts.values()]) service.close();
  }

  private openAccount(settings: AwsKmsSettings): OpenService<AwsKms> {
    const service = new AwsKms(settings);
    const limits = { concurrency: CLOUD_CALLS, mostWaiting: MOST_WAITING };
    return { service, gate: new ServiceGate(service.name, limits, this.parts.clock) };
  }

  private openToken(settings: Pkcs11TokenSettings): OpenService<Pkcs11Token> {
    const { clock } = this.parts;
    const service = new Pkcs11Token(settings, { clock, readText: (path) => readFile(path, 'utf8') });
    const limits = { concurrency: settings.sessions, mostWaiting: MOST_WAITING };
    return { service, gate: new ServiceGate(service.name, limits, clock) };
  }
}
