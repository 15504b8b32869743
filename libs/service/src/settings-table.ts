/** What became of a setting of another program. */
export interface SettingRow {
  /** As the other program names it. */
  readonly setting: string;
  /** Taken as it is, changed to what is equivalent here, or ignored. */
  readonly outcome: 'taken' | 'changed' | 'ignored';
  /** The setting here, or the reason for which there is none. */
  readonly text: string;
}

const MAX_SETTING = 60;

/** The rows as a table of three columns, one line each, in their order. */
export function formatSettings(rows: readonly SettingRow[]): string {
  const width = Math.min(MAX_SETTING, Math.max(...rows.map(({ setting }) => setting.length), 0));
  return rows
    .map(({ setting, outcome, text }) => `${setting.padEnd(width)}  ${outcome.padEnd(7)}  ${text}`)
    .join('\n');
}
