import { afterEach } from '@jest/globals';
import { removeFolders, type KeyFolder, type TestKey } from '../../../libs/signer/keys/test/key-folder.js';
import { startSigner, type RunningSigner } from './running-signer.js';

/** A signer whose keys a test puts somewhere, and what it says about them over HTTP. */
export class StartedKeys {
  private signer: RunningSigner | undefined;

  /** Starts it with the flags. Port 9 is closed: keys need no Ethereum client. */
  async start(...keyFlags: readonly string[]): Promise<void> {
    this.signer = await startSigner({ downstreamPort: 9, keyFlags });
  }

  startFolder({ path }: KeyFolder): Promise<void> {
    return this.start('multikey-signer', '--directory', path);
  }

  async stop(): Promise<void> {
    await this.signer?.stop();
    this.signer = undefined;
  }

  get running(): RunningSigner {
    if (this.signer === undefined) throw new Error('no signer runs');
    return this.signer;
  }

  async accounts(): Promise<string[]> {
    return (await this.running.call('eth_accounts')).result as string[];
  }

  async get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const { status, text } = await this.running.request({ method: 'GET', path });
    return { status, body: JSON.parse(text) };
  }

  /** Asks for a reload. */
  async reload(): Promise<{ readonly status: number; readonly body: unknown }> {
    const { status, text } = await this.running.request({ path: '/reload' });
    return { status, body: JSON.parse(text) };
  }

  async reloadStatus(): Promise<string> {
    return ((await this.get('/reload')).body as { status: string }).status;
  }

  /** What /readyz says of the keys; undefined when they are ready. */
  async notReady(): Promise<string | undefined> {
    const response = await fetch(`${this.running.opsUrl}/readyz`);
    return ((await response.json()) as { notReady: Record<string, string> }).notReady['keys'];
  }
}

/** Stops the signer and removes its folders after each test. */
export function useStartedKeys(): StartedKeys {
  const started = new StartedKeys();
  afterEach(async () => {
    await started.stop();
    await removeFolders();
  });
  return started;
}

export function addressesOf(...keys: readonly TestKey[]): string[] {
  return keys.map(({ address }) => address as string).sort();
}
