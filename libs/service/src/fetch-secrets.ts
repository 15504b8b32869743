import { systemClock } from '@tetrad/types';
import { flagOf } from './define-options.js';
import { Secret } from './secret.js';
import { StartupError } from './startup-error.js';

/**
 * The configuration with the secrets that options name by a TOML file, of AWS Secrets Manager, Azure Key Vault or HashiCorp Vault
 * (docs/adr/0273). What asks them is loaded only when there is one.
 *
 * @param variables - of the environment, by which such a file may log in
 * @throws StartupError naming the option, and what the service said
 */
export async function fetchSecrets<Config extends Readonly<Record<string, unknown>>>(
  config: Config,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Config> {
  const named = Object.entries(config).flatMap(([key, value]) =>
    value instanceof Secret && value.namedBy !== undefined ? [[key, value.namedBy] as const] : [],
  );
  if (named.length === 0) return config;
  const { SecretTexts } = await import('@tetrad/remote-keys/secrets');
  const texts = new SecretTexts({ clock: systemClock, variables });
  try {
    const fetched: Record<string, Secret> = {};
    for (const [key, path] of named)
      fetched[key] = await texts.read(path).then(
        (text) => new Secret(text.replace(/\r?\n$/, '')),
        (error: Error) => {
          throw new StartupError(`${flagOf(key)}: ${error.message}`, { cause: error });
        },
      );
    return { ...config, ...fetched };
  } finally {
    texts.close();
  }
}
