import { OptionError, type Secret, type SharedSecret } from '@tetrad/service';
import { TOKEN_SECRET_RULE, parseTokenSecret } from '@tetrad/wallet-key';

/** The secret of the file. Fails: OptionError, without what was read */
export function readTokenSecret(file: Secret): SharedSecret {
  const secret = parseTokenSecret(file.reveal());
  if (secret === undefined) throw new OptionError('--auth-token-secret-file', TOKEN_SECRET_RULE);
  return secret;
}
