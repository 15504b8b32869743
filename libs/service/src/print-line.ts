/** Prints the result of a command as the last line, whatever is logged, since programs read it; ends with `process.exitCode`. */
export async function printLine(line: string | Promise<string>): Promise<never> {
  process.stdout.write(`${await line}\n`);
  process.exit();
}
