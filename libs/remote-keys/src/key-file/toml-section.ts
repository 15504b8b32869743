import { TetradError, settingsProblem, tomlLine, withoutByteOrderMark } from '@tetrad/types';
import { TomlError, parse } from 'smol-toml';
import { z } from 'zod';

/** A file does not say which key or secret it names; the file may hold a token or a key, so no value is repeated. */
export class TomlSectionError extends TetradError {
  override readonly name = 'TomlSectionError';
  override readonly code = 'TOML_SECTION';
}

type SectionUnion = z.ZodDiscriminatedUnion<readonly z.ZodObject<{ readonly type: z.ZodLiteral<string> }>[]>;

/** Made once: a folder may have ten thousand files. */
const tables = z.record(z.string(), z.unknown());
const typedTable = z.looseObject({ type: z.string() });

/** A section of a TOML file, by its `type`. */
export interface TomlSection<Union extends SectionUnion> {
  /** `signing` or `secret`. */
  readonly name: string;
  /** One for each `type`. */
  readonly sections: Union;
}

/**
 * The section of a TOML file; unknown keys are ignored, as EthSigner does.
 *
 * @throws TomlSectionError naming the key that is wrong, and its line
 */
export function parseTomlSection<const Union extends SectionUnion>(
  toml: string,
  { name, sections }: TomlSection<Union>,
): z.output<Union> {
  const outer = tables.safeParse(parseToml(toml));
  const section = typedTable.safeParse(outer.data?.[name]);
  if (!section.success) throw faultAt(section.error, toml, name);
  const known = sections.options.flatMap(({ shape }) => [...shape.type.values]);
  if (!known.includes(section.data.type)) {
    const at = where(toml, [name, 'type']);
    throw new TomlSectionError(`${name}.type: must be one of ${known.join(', ')}${at}`);
  }
  const inner = sections.safeParse(section.data);
  if (!inner.success) throw faultAt(inner.error, toml, name);
  return inner.data;
}

function parseToml(toml: string): unknown {
  try {
    return parse(withoutByteOrderMark(toml));
  } catch (error) {
    // The error's own text shows the line.
    const line = error instanceof TomlError ? ` (line ${error.line})` : '';
    throw new TomlSectionError(`is not TOML${line}`);
  }
}

function faultAt(error: z.ZodError, toml: string, parent: string): TomlSectionError {
  const [issue = { path: [], message: 'is not valid' }] = error.issues;
  const path = [parent, ...issue.path];
  return new TomlSectionError(`${path.join('.')}: ${settingsProblem(issue)}${where(toml, path)}`);
}

function where(toml: string, path: readonly PropertyKey[]): string {
  const line = tomlLine(toml, path);
  return line === undefined ? '' : ` (line ${line})`;
}
