import type { SettingRow } from './settings-table.js';

type TomlValue = string | number | boolean | readonly string[];

/** From the port of a service to its operations port: beyond the neighbours of either on the same host. */
const OPERATIONS_DISTANCE = 1_000;
const MAX_PORT = 65_535;

/** A file that the conversion writes. */
export interface ConvertedFile {
  readonly name: string;
  readonly text: string;
  /** Whether only the owner may read it. */
  readonly isSecret: boolean;
}

/** Collects our settings, files, and what became of each setting of the other program. */
export class SettingsConversion {
  readonly rows: SettingRow[] = [];
  readonly files: ConvertedFile[] = [];
  private readonly settings = new Map<string, TomlValue>();

  /**
   * Sets an option of ours to the value of the setting.
   * @param key - as in our configuration file
   */
  take(setting: string, key: string, value: TomlValue): void {
    this.settings.set(key, value);
    this.rows.push({ setting, outcome: 'taken', text: `${key} = ${tomlOf(value)}` });
  }

  /**
   * Sets an option of ours, whose meaning differs.
   * @param why - what is different
   */
  change(setting: string, key: string, value: TomlValue, why: string): void {
    this.settings.set(key, value);
    this.rows.push({ setting, outcome: 'changed', text: `${key} = ${tomlOf(value)} (${why})` });
  }

  /**
   * A setting that holds here without an option.
   * @param text - the value, and why there is no option
   */
  keep(setting: string, text: string): void {
    this.rows.push({ setting, outcome: 'taken', text });
  }

  /**
   * Sets the operations port to one that follows from the port by which others know the service: the default would be that of
   * every converted service on the host.
   *
   * @param known - key of that port, as in our configuration file; nothing is set without it
   */
  addOperationsPort(known: string): void {
    const port = this.settings.get(known);
    if (typeof port !== 'number') return;
    const taken = [...this.settings.values()];
    const above = (distance: number) => (port + distance <= MAX_PORT ? port + distance : port - distance);
    const distance = [OPERATIONS_DISTANCE, OPERATIONS_DISTANCE + 1, OPERATIONS_DISTANCE + 2].find(
      (one) => !taken.includes(above(one)),
    );
    const why = `for health and metrics, beside ${known}, so that services of one host differ`;
    this.change('(operations)', 'ops-listen-port', above(distance ?? OPERATIONS_DISTANCE), why);
  }

  /** Whether an option of ours is set. */
  has(key: string): boolean {
    return this.settings.has(key);
  }

  ignore(setting: string, why: string): void {
    this.rows.push({ setting, outcome: 'ignored', text: why });
  }

  addFile(file: ConvertedFile): void {
    this.files.push(file);
  }

  /**
   * Our configuration file.
   * @param title - its first comment
   */
  toml(title: string): string {
    const lines = [...this.settings].map(([key, value]) => `${key} = ${tomlOf(value)}`);
    return `# ${title}\n${lines.join('\n')}\n`;
  }
}

/** A value as TOML writes it. JSON strings are basic strings of TOML, but for the one control character that they leave as it is. */
export function tomlOf(value: TomlValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  return `[${value.map(tomlOf).join(', ')}]`;
}
