import { flagOf, kebabCase, variableOf, type OptionDefinition, type OptionTable } from './define-options.js';

interface Described {
  readonly name: string;
  readonly description: string;
  readonly options: OptionTable;
  /** The usage line after `tetrad`; the name and its options when absent. */
  readonly usage?: string;
}

const WIDTH = 100;
const GENERAL = 'General';

/** Options of the command line itself. */
const AT_ANY_TIME = [
  'Configuration:',
  '  --config-file FILE',
  '      File with options, TOML unless the description names another form.',
  '  --help, --version',
  '      Prints this text, or the version.',
].join('\n');

/** What `--help` prints. */
export function formatHelp({ name, description, options, usage }: Described): string {
  const groups = [...byGroup(options)].map(([group, rows]) =>
    [`${group}:`, ...rows.map(([key, row]) => helpEntry(key, row))].join('\n'),
  );
  return `${[
    `Usage: tetrad ${usage ?? `${name} [options]`}`,
    description,
    ...groups,
    AT_ANY_TIME,
    [
      'Every option is also an environment variable',
      `(${variableOf(name, Object.keys(options)[0] ?? 'logLevel')}) and a key of the TOML file;`,
      'a flag goes before the variable, the variable before the file.',
    ].join(' '),
  ].join('\n\n')}\n`;
}

function helpEntry(key: string, row: OptionDefinition): string {
  const head = `  ${`${flagOf(key)} ${row.type.placeholder}`.trim()}`;
  return [head, ...wrap(`${row.description}${notes(row)}`, WIDTH - 6).map((line) => `      ${line}`)].join(
    '\n',
  );
}

function notes(row: OptionDefinition): string {
  const parts = [
    row.unit === undefined ? undefined : `unit: ${row.unit}`,
    row.required === true ? 'required' : undefined,
    row.default === undefined ? undefined : `default: ${row.type.format(row.default) || 'none'}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** The option table as a page of Markdown, for the reference documentation. */
export function formatOptionReference({ name, description, options }: Described): string {
  const sections = [...byGroup(options)].map(([group, rows]) =>
    [
      `## ${group}`,
      '',
      '| Key | Value | Default | Meaning |',
      '| --- | --- | --- | --- |',
      ...rows.map(([key, row]) => referenceRow(key, row)),
    ].join('\n'),
  );
  const intro = [
    description,
    `A key is the flag without its dashes (\`--log-level\`), the name in the TOML file (\`log-level\`) and, in capitals`,
    `with \`${variableOf(name, '')}\` in front, the environment variable (\`${variableOf(name, 'logLevel')}\`).`,
  ].join('\n');
  return `${[`# Options of ${name}`, intro, ...sections].join('\n\n')}\n`;
}

function referenceRow(key: string, row: OptionDefinition): string {
  const fallback = row.default === undefined ? '' : `\`${row.type.format(row.default)}\``;
  const cells = [
    `\`${kebabCase(key)}\``,
    row.type.placeholder === '' ? 'true, false' : row.type.placeholder,
    row.required === true ? 'required' : fallback === '``' ? 'none' : fallback,
    row.unit === undefined ? row.description : `${row.description} Unit: ${row.unit}.`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function byGroup(options: OptionTable): Map<string, [string, OptionDefinition][]> {
  const groups = new Map<string, [string, OptionDefinition][]>();
  for (const [key, row] of Object.entries(options)) {
    const group = row.group ?? GENERAL;
    groups.set(group, [...(groups.get(group) ?? []), [key, row]]);
  }
  return groups;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? '';
    if (line !== '' && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
