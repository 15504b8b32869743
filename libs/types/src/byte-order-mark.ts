const UTF8_MARK = '\uFEFF';
/** The mark of UTF-16, of either byte order, decoded as UTF-8. */
const UTF16_MARK = '\uFFFD\uFFFD';

/**
 * The text of a file for a parser of JSON or TOML, without the byte order mark that editors on Windows put before it.
 *
 * @param text - decoded as UTF-8
 * @returns the text after the mark; all of it where there is none
 * @throws SyntaxError for a text in UTF-16, which PowerShell writes
 */
export function withoutByteOrderMark(text: string): string {
  if (text.startsWith(UTF16_MARK))
    throw new SyntaxError('the file is in UTF-16, by its byte order mark; save it as UTF-8');
  return text.startsWith(UTF8_MARK) ? text.slice(UTF8_MARK.length) : text;
}
