import { resolve } from 'node:path';
import { readSmallText } from '@tetrad/files';
import { firstLine } from '@tetrad/types';
import { TomlSectionError } from '../key-file/toml-section.js';

/** Variables of the environment of a program. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What a `[secret]` is read with. */
export interface SectionContext {
  /** To which its paths are relative. */
  readonly folder: string;
  readonly variables: Variables;
}

/**
 * What a member of the section says.
 * @throws TomlSectionError without it
 */
export function needed<
  Section extends Readonly<Record<string, unknown>>,
  Name extends keyof Section & string,
>(section: Section, name: Name, why: string): NonNullable<Section[Name]> {
  const value = section[name];
  if (value === undefined || value === null)
    throw new TomlSectionError(`secret.${name}: is required with ${why}`);
  return value;
}

/**
 * The first line of the file that a member names.
 * @throws TomlSectionError without the member, or when the line is empty; FileError
 */
export async function lineIn(file: string, name: string, { folder }: SectionContext): Promise<string> {
  const line = firstLine(await readSmallText(resolve(folder, file))).trim();
  if (line === '') throw new TomlSectionError(`secret.${name}: the first line of the file is empty`);
  return line;
}

/**
 * A variable of the environment.
 * @throws TomlSectionError naming it
 */
export function variable(name: string, { variables }: SectionContext): string {
  const value = variables[name];
  if (value) return value;
  throw new TomlSectionError(`the environment variable ${name} is not set`);
}
