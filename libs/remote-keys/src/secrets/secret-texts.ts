import type { Clock } from '@tetrad/types';
import { readSecretFile } from './secret-file.js';
import { SecretServices } from './secret-services.js';
import type { Variables } from './section-context.js';

/** A folder of key files has one password for all: the service is asked once, and again at a later load. */
const FRESH_MS = 5_000;

/** Texts of secrets, such as passwords, by the files that name them. */
export class SecretTexts {
  private readonly services: SecretServices;
  private readonly recent = new Map<string, { readonly text: Promise<string>; readonly untilMs: number }>();

  constructor(
    private readonly parts: {
      readonly clock: Clock;
      /** Variables of the environment, for files that log in by it. */
      readonly variables: Variables;
    },
  ) {
    this.services = new SecretServices(parts.clock);
  }

  /**
   * Reads the secret that a TOML file names.
   * @throws RemoteKeyError naming the file or the secret
   */
  read(path: string): Promise<string> {
    const nowMs = this.parts.clock.now();
    const known = this.recent.get(path);
    if (known !== undefined && nowMs < known.untilMs) return known.text;
    const text = this.ask(path);
    this.recent.set(path, { text, untilMs: nowMs + FRESH_MS });
    // A failure is not kept: the next caller asks.
    text.catch(() => this.recent.delete(path));
    return text;
  }

  close(): void {
    this.services.close();
  }

  private async ask(path: string): Promise<string> {
    const { secret } = await readSecretFile(path, this.parts.variables);
    return this.services.read(secret);
  }
}
