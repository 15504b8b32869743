import { resolve } from 'node:path';
import { TetradError, settingsProblem, tomlLine, withoutByteOrderMark } from '@tetrad/types';
import { TomlError, parse } from 'smol-toml';
import { z } from 'zod';
import {
  PKCS11_SESSIONS,
  REMOTE_KEY_TIMEOUT_MS,
  type AwsKmsKeySettings,
  type Pkcs11KeySettings,
} from './remote-key-settings.js';

const text = z.string().min(1, 'must not be empty');
const timeout = z.int().min(1).max(600_000).default(REMOTE_KEY_TIMEOUT_MS);

/** `[signing]` of a TOML file for a key of an HSM; EthSigner has no such type. */
export const pkcs11Section = z.object({
  type: z.literal('pkcs11-signer'),
  library: text,
  slot: z.int().min(0).optional(),
  'token-label': text.optional(),
  'pin-file': text.optional(),
  'key-label': text.optional(),
  'key-id': text.optional(),
  sessions: z.int().min(1).max(1_000).default(PKCS11_SESSIONS),
  timeout,
});

/** `[signing]` of a TOML file for a key of AWS KMS; EthSigner has no such type. */
export const awsKmsSection = z.object({
  type: z.literal('aws-kms-signer'),
  /** As the SDK finds it, when it is left out; credentials are always found by the SDK. */
  region: text.optional(),
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  'key-id': text,
  timeout,
});

/** @param folder - to which its paths are relative */
export function pkcs11SettingsOf(section: z.output<typeof pkcs11Section>, folder: string): Pkcs11KeySettings {
  const pinFile = section['pin-file'];
  return {
    library: section.library,
    slot: section.slot,
    tokenLabel: section['token-label'],
    pinFile: pinFile === undefined ? undefined : resolve(folder, pinFile),
    sessions: section.sessions,
    timeoutMs: section.timeout,
    key: { label: section['key-label'], id: section['key-id'] },
  };
}

export function awsKmsSettingsOf(section: z.output<typeof awsKmsSection>): AwsKmsKeySettings {
  const { region, endpoint, timeout: timeoutMs, 'key-id': keyId } = section;
  return { region, endpoint, timeoutMs, keyId };
}

/** A file does not say which key it is; the file may hold a token or a key, so no value is repeated. */
export class SigningSectionError extends TetradError {
  override readonly name = 'SigningSectionError';
  override readonly code = 'SIGNING_SECTION';
}

const document = z.object({ signing: z.looseObject({ type: z.string() }) });

type SectionUnion = z.ZodDiscriminatedUnion<readonly z.ZodObject<{ readonly type: z.ZodLiteral<string> }>[]>;

/**
 * `[signing]` of a TOML file; unknown keys are ignored, as EthSigner does.
 *
 * @param sections - one for each `type`
 * @throws SigningSectionError naming the key that is wrong, and its line
 */
export function parseSigningSection<const Union extends SectionUnion>(
  toml: string,
  sections: Union,
): z.output<Union> {
  const outer = document.safeParse(parseToml(toml));
  if (!outer.success) throw faultAt(outer.error, toml);
  const { type } = outer.data.signing;
  const known = sections.options.flatMap(({ shape }) => [...shape.type.values]);
  const at = where(toml, ['signing', 'type']);
  if (!known.includes(type))
    throw new SigningSectionError(`signing.type: must be one of ${known.join(', ')}${at}`);
  const inner = sections.safeParse(outer.data.signing);
  if (!inner.success) throw faultAt(inner.error, toml, 'signing');
  return inner.data;
}

function parseToml(toml: string): unknown {
  try {
    return parse(withoutByteOrderMark(toml));
  } catch (error) {
    // The error's own text shows the line.
    const line = error instanceof TomlError ? ` (line ${error.line})` : '';
    throw new SigningSectionError(`is not TOML${line}`);
  }
}

function faultAt(error: z.ZodError, toml: string, parent?: string): SigningSectionError {
  const [issue = { path: [], message: 'is not valid' }] = error.issues;
  const path = [...(parent === undefined ? [] : [parent]), ...issue.path];
  return new SigningSectionError(`${path.join('.')}: ${settingsProblem(issue)}${where(toml, path)}`);
}

function where(toml: string, path: readonly PropertyKey[]): string {
  const line = tomlLine(toml, path);
  return line === undefined ? '' : ` (line ${line})`;
}
