import type * as z from 'zod';

/** Characters of a field's name: parts of it are names of a stranger's file. */
const MAX_FIELD = 200;

/** What is wrong with a file or an input of the reader, with the field. The text is for people, and holds text of strangers. */
export class AbiFault extends Error {
  override readonly name = 'AbiFault';

  constructor(field: string, problem: string) {
    const shown = field.length > MAX_FIELD ? `…${field.slice(-MAX_FIELD)}` : field;
    super(shown === '' ? problem : `${shown}: ${problem}`);
  }

  /**
   * The first problem that a schema found.
   * @param field - what the schema was for
   */
  static of({ issues: [issue] }: z.ZodError, field: string): AbiFault {
    const path = [field, ...(issue?.path ?? []).map(String)].filter((part) => part !== '').join('.');
    return new AbiFault(path, (issue?.message ?? '').slice(0, 200));
  }
}
